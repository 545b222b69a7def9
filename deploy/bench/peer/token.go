package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

// An event as its link tells it, with what the request adds.
type event struct {
	account, campaign, launchedAt, resource, profile, subscription, sentAt int64
	channel, provider                                                      int16
	kind                                                                   int16
	receivedAt                                                             time.Time
	address, userAgent                                                     string
}

const (
	kindAck  int16 = 1
	kindOpen int16 = 2
)

var errToken = errors.New("no such link")

// tokenBox seals events into links and opens them again: AES-256-GCM with a random nonce, the kind in the path
// authenticated with it.
type tokenBox struct{ aead cipher.AEAD }

// Seven ids and times of eight bytes, channel and provider of two.
const plainBytes = 7*8 + 2*2

func newTokenBox() (*tokenBox, error) {
	// Only speed is measured: links must open in another process that was given nothing.
	var key [32]byte
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &tokenBox{aead}, nil
}

func folder(kind int16) string {
	if kind == kindOpen {
		return "/open/"
	}
	return "/ack/"
}

func (b *tokenBox) path(e event) (string, error) {
	plain := make([]byte, 0, plainBytes)
	for _, field := range []int64{e.account, e.campaign, e.launchedAt, e.resource, e.profile, e.subscription, e.sentAt} {
		plain = binary.BigEndian.AppendUint64(plain, uint64(field))
	}
	plain = binary.BigEndian.AppendUint16(plain, uint16(e.channel))
	plain = binary.BigEndian.AppendUint16(plain, uint16(e.provider))
	nonce := make([]byte, b.aead.NonceSize(), b.aead.NonceSize()+plainBytes+b.aead.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	sealed := b.aead.Seal(nonce, nonce, plain, []byte(folder(e.kind)))
	return folder(e.kind) + base64.RawURLEncoding.EncodeToString(sealed), nil
}

func (b *tokenBox) open(path string) (event, error) {
	var e event
	for _, kind := range []int16{kindAck, kindOpen} {
		if strings.HasPrefix(path, folder(kind)) {
			e.kind = kind
		}
	}
	if e.kind == 0 {
		return e, errToken
	}
	prefix := folder(e.kind)
	sealed, err := base64.RawURLEncoding.DecodeString(path[len(prefix):])
	if err != nil || len(sealed) != b.aead.NonceSize()+plainBytes+b.aead.Overhead() {
		return e, errToken
	}
	nonce := sealed[:b.aead.NonceSize()]
	plain, err := b.aead.Open(sealed[len(nonce):len(nonce)], nonce, sealed[len(nonce):], []byte(prefix))
	if err != nil {
		return e, errToken
	}
	for _, field := range []*int64{
		&e.account, &e.campaign, &e.launchedAt, &e.resource, &e.profile, &e.subscription, &e.sentAt,
	} {
		*field = int64(binary.BigEndian.Uint64(plain))
		plain = plain[8:]
	}
	e.channel = int16(binary.BigEndian.Uint16(plain))
	e.provider = int16(binary.BigEndian.Uint16(plain[2:]))
	return e, nil
}

// exampleEvent is an ack or, every second time, an open of the message of that number.
func exampleEvent(number int) event {
	launch := time.Now().Truncate(time.Hour).UnixNano()
	return event{
		account: 1, campaign: 7, launchedAt: launch, resource: 1, profile: int64(number/2) + 1,
		subscription: int64(number/2) + 1, sentAt: launch + int64(number/2), channel: 3, provider: 1,
		kind: kindAck + int16(number%2),
	}
}

-- For wrk: every request takes the next path of the file that PATHS names, so that every hit is another message's.
local requests, at = {}, 0

function init(arguments)
    for path in io.lines(os.getenv("PATHS")) do
        requests[#requests + 1] = wrk.format("GET", path)
    end
end

function request()
    at = at % #requests + 1
    return requests[at]
end

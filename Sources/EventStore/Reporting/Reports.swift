/// The questions that the API asks. Each answer comes from one statement or one snapshot, so its parts agree.
package enum Reports {}

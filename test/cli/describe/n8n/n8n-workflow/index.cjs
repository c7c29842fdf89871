/** A stand-in: of the real package, which compiles native code, the linter's rules read this alone. */
module.exports = { NodeConnectionTypes: { Main: "main" } }

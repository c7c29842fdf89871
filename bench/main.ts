/** `npm run bench` lists the benchmarks, `npm run bench -- <name> [arguments]` runs one; exit code 1 when it misses its limit. */
import { runNamed } from "./support/Benches.ts"
import { interruptedCode } from "./support/Run.ts"

const code = await runNamed(process.argv.slice(2))
// What was started has been stopped, but callers that were measured go on calling: nothing else would end them.
if (code === interruptedCode) process.exit(code)
process.exitCode = code

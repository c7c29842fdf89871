/** Run before the tests: makes sure there is a Redis to test against, or says what to install. */
import { execFileSync, spawnSync } from "node:child_process"

const has = (program: string, args: ReadonlyArray<string>) => spawnSync(program, args, { stdio: "ignore" }).status === 0
const present = () => has("redis-server", ["--version"])

const given = process.env.REDIS_URL
if ((given === undefined || given === "") && !present()) {
  const mayInstall = process.getuid?.() === 0 && has("apt-get", ["--version"])
  if (mayInstall) {
    console.log("No REDIS_URL and no redis-server: installing Debian's redis-server for the tests.")
    const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
    // On systems with an init system the package starts a service on port 6379. The tests use their own server on a free port.
    const install = () => execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"], options)
    try {
      install()
    } catch {
      execFileSync("apt-get", ["update"], options)
      install()
    }
  }
  if (!present()) {
    console.error(
      "The tests need Redis. Install redis-server (Debian: apt-get install redis-server; macOS: brew install redis) or set REDIS_URL."
    )
    process.exit(1)
  }
}

/** Run before the tests: makes sure that the programs of the machine that they need are there, or says what to install. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chromiumPath, howToInstallChromium } from "./chromiumPath.ts"
import { hasN8nLinter, installN8nLinter } from "./n8nLinter.ts"
import "./systemPrograms.ts"

const has = (program: string, args: ReadonlyArray<string>) => spawnSync(program, args, { stdio: "ignore" }).status === 0
const isRootOnDebian = process.getuid?.() === 0 && has("apt-get", ["--version"])

/** Installs Debian's packages. Throws when that fails. */
const install = (packages: ReadonlyArray<string>) => {
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
  const run = () => execFileSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], options)
  try {
    run()
  } catch {
    execFileSync("apt-get", ["update"], options)
    run()
  }
}

const given = process.env.REDIS_URL
const hasRedis = () => has("redis-server", ["--version"])
if ((given === undefined || given === "") && !hasRedis()) {
  if (isRootOnDebian) {
    console.log("No REDIS_URL and no redis-server: installing Debian's redis-server for the tests.")
    // On systems with an init system the package starts a service on port 6379. The tests use their own server on a free port.
    install(["redis-server"])
  }
  if (!hasRedis()) {
    console.error(
      "The tests need Redis. Install redis-server (Debian: apt-get install redis-server; macOS: brew install redis) or set REDIS_URL."
    )
    process.exit(1)
  }
}

/** Proxies by program, with the option that prints their version. Debian's packages have the same names. */
const proxies = { nginx: "-v", caddy: "version", haproxy: "-v" }
const missing = () => Object.entries(proxies).flatMap(([program, option]) => (has(program, [option]) ? [] : [program]))
if (missing().length > 0) {
  // With an init system the packages would start public services on port 80.
  const startsServices = existsSync("/run/systemd/system")
  if (isRootOnDebian && !startsServices) {
    console.log(`Installing Debian's packages for the tests of docs/deploy: ${missing().join(", ")}.`)
    try {
      install(missing())
    } catch (cause) {
      console.error("They could not be installed.", cause)
    }
  }
  if (missing().length > 0)
    console.error(
      `Not installed: ${missing().join(", ")}. The tests of their files in docs/deploy are skipped; in CI they fail.`
    )
}

if (chromiumPath() === undefined) {
  if (isRootOnDebian) {
    console.log("Installing Debian's chromium for the stories of the dashboard.")
    try {
      install(["chromium", "fonts-dejavu-core", "fonts-noto-color-emoji"])
    } catch (cause) {
      console.error("It could not be installed.", cause)
    }
  }
  if (chromiumPath() === undefined)
    console.error(`${howToInstallChromium} Without it the stories are skipped; in CI they fail.`)
}

if (!hasN8nLinter()) {
  console.log("Installing n8n's linter for the test of the app for n8n.")
  try {
    installN8nLinter()
  } catch (cause) {
    console.error("It could not be installed. Its test is skipped; in CI it fails.", cause)
  }
}

/** The files of `docs/deploy` that no test runs: what they say agrees with the project. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = resolve(import.meta.dirname, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

/** The only group of a pattern in a text. */
const found = (text: string, pattern: RegExp): string => {
  const match = pattern.exec(text)
  if (match === null) throw new Error(`${pattern} is not in it`)
  return match[1]
}

describe("the example for Traefik", () => {
  const routes = parse(read("docs/deploy/traefik-parley.yml"))
  const rule: string = routes.http.routers.parley.rule

  it("keeps operators' addresses from the public, and passes everything else on", () => {
    const hidden = new RegExp(found(rule, /!PathRegexp\(`\(\?i\)([^`]+)`\)/), "i")
    for (const path of ["/metrics", "//metrics", "/METRICS", "/metrics/x", "/metrics;x", "/readyz"])
      expect(hidden.test(path), path).toBe(true)
    for (const path of ["/api/voices", "/media", "/healthz", "/metrics-of-mine", "/api/metrics"])
      expect(hidden.test(path), path).toBe(false)
  })

  it("names services and transports that are there", () => {
    const { routers, services, serversTransports } = routes.http
    expect(Object.keys(services)).toContain(routers.parley.service)
    const { failover } = services.parley
    for (const name of [failover.service, failover.fallback])
      expect(Object.keys(serversTransports)).toContain(services[name].loadBalancer.serversTransport)
    const { providers, entryPoints } = parse(read("docs/deploy/traefik.yml"))
    expect(Object.keys(entryPoints)).toEqual(expect.arrayContaining(routers.parley.entryPoints))
    expect(providers.file.filename).toMatch(/\/traefik-parley\.yml$/)
  })
})

describe("the unit for systemd", () => {
  const unit = read("docs/deploy/parley.service")
  const start: string = JSON.parse(read("package.json")).scripts.start

  it("starts the service with the options of npm start", () => {
    expect(found(unit, /^ExecStart=\S+\/node (.*)$/m)).toBe(found(start, /exec node (.*)$/))
    expect(found(unit, /^Environment=MALLOC_ARENA_MAX=(\d+)$/m)).toBe(found(start, /MALLOC_ARENA_MAX:-(\d+)/))
  })

  it("waits as long as docs/operations.md asks for", () => {
    expect(unit).toContain(`TimeoutStopSec=${found(read("docs/operations.md"), /TimeoutStopSec=(\d+)/)}`)
    expect(unit).toContain("KillMode=mixed")
    expect(unit).toContain("SuccessExitStatus=130")
  })
})

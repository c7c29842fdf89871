/** The bench of shops runs as a whole, small: every list is answered, and every webhook that was answered is stored. */
import { expect, it, vi } from "vitest"
import { runNamed } from "../../bench/support/Benches.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

it("lists orders and takes webhooks of stores, none failed and none lost", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => undefined)
  vi.spyOn(console, "error").mockImplementation(() => undefined)
  await runNamed(["shop", "--orders", "500", "--calls", "3", "--rate", "50", "--seconds", "2", "--json"])
  const report = JSON.parse(String(said.mock.calls.at(-1)?.[0]))
  vi.restoreAllMocks()
  const limit = (name: string) => report.limits.find((one: { readonly name: string }) => one.name === name)
  expect(limit("requests that failed").value).toBe(0)
  expect(limit("webhooks answered and not stored").value).toBe(0)
  const [[, stored, read]] = report.tables.at(-1).rows
  expect(stored).toBeGreaterThanOrEqual(100)
  expect(read).toBeGreaterThan(0)
  // Time limits say nothing on a machine that does other work; that all were measured does.
  const counts = report.tables[0].rows.map(([name, count]: readonly [string, number]) => [name, count])
  expect(counts).toHaveLength(16)
  expect(counts.at(-1)).toEqual(["a webhook of a store", 100])
  expect(counts.slice(0, -1).every(([, count]: readonly [string, number]) => count >= 1)).toBe(true)
}, 300_000)

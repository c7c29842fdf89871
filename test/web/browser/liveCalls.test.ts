/** A colleague hears a running call, whispers to its agent, talks with the caller through a microphone, and hands the call back. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { decode, voicedLevel } from "../../../simulators/telephone/Mulaw.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { microphone, openMicrophone } from "./Microphone.ts"

/** What the microphone gives, again and again: a tone, which no agent makes. */
const toneHz = 440
const tone = Int16Array.from({ length: 16_000 }, (_, at) =>
  Math.round(8_000 * Math.sin((2 * Math.PI * toneHz * at) / 8_000))
)
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The share of a second that is the tone: by its zero crossings, 880 a second. */
const isTone = (heard: Int16Array): boolean => {
  let crossings = 0
  for (let at = 1; at < heard.length; at++)
    if (heard[at - 1] < 0 !== heard[at] < 0 && Math.abs(heard[at]) > voicedLevel / 10) crossings++
  return Math.abs((crossings * 8_000) / heard.length - 2 * toneHz) < 60
}

inChromium("a colleague", () => {
  const { chromium, plays } = microphone({ again: true })
  const started = startedDashboard({ lines: {}, chromium })

  it("hears a running call, whispers, talks with the caller, and hands the call back", async () => {
    plays(tone)
    const dashboard = started()
    let over = false
    const calling = Effect.runPromise(
      dashboard.call(
        async (caller) => {
          while (!over) await caller.sleep(100)
          caller.hangUp()
        },
        { maxMs: 600_000 }
      )
    )
    const { page } = await dashboard.signIn("agent", "/live", { scripts: [openMicrophone, axe] })
    await page.getByRole("list", { name: "Running calls" }).getByRole("link").first().click()
    await page.keyboard.press("l")
    await page.getByText("You hear both sides. Nobody hears you.").waitFor()

    await page.keyboard.press("w")
    await page.keyboard.type("Offer a discount.")
    await page.getByRole("button", { name: "Whisper" }).click()
    await page.getByText("Only the agent heard it.").waitFor()

    await page.getByRole("button", { name: "Take over" }).click()
    await page.getByText("The caller hears you.", { exact: true }).waitFor()
    expect(
      await page.evaluate(
        `axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] }).then(({ violations }) => violations.map(({ id }) => id))`
      )
    ).toEqual([])
    await page.waitForTimeout(1_500)
    await page.keyboard.press("o")
    await page.getByRole("button", { name: "Take over" }).waitFor()
    // A page that falls seconds behind stops to listen. That is seen at once, and not after the longest wait.
    const hears = page.getByText("You hear both sides. Nobody hears you.")
    await hears
      .or(page.getByRole("button", { name: "Listen", exact: true }))
      .first()
      .waitFor()
    expect(await hears.count(), "the colleague still listens").toBe(1)
    await page.getByRole("button", { name: "Stop listening" }).click()
    await page.getByRole("button", { name: "Listen", exact: true }).waitFor()
    over = true
    const { heard } = await calling
    const samples = decode(heard)
    const seconds = Array.from({ length: Math.floor(samples.length / 4_000) }, (_, half) =>
      samples.subarray(half * 4_000, half * 4_000 + 4_000)
    )
    expect(seconds.filter(isTone).length, "half seconds of the tone").toBeGreaterThanOrEqual(2)
    await comesAbout("the call is over", async () => {
      const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<unknown> }>("GET", "/api/calls/live")
      return data.length === 0
    })
  })
})

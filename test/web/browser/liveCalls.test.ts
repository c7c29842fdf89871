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

/** Whether it is the tone: by how often the sound gets loud on the other side of zero, 880 times a second. Samples may hit zero itself. */
const isTone = (heard: Int16Array): boolean => {
  const loud = heard.filter((sample) => Math.abs(sample) > voicedLevel / 10)
  const crossings = loud.filter((sample, at) => at > 0 && loud[at - 1] < 0 !== sample < 0).length
  return Math.abs((crossings * 8_000) / heard.length - 2 * toneHz) < 60
}

/** How many tenths of a second of what was heard are the tone. On a busy machine there are gaps between them. */
const tenthsOfTone = (heard: Uint8Array): number => {
  const samples = decode(heard)
  const tenths = Array.from({ length: Math.floor(samples.length / 800) }, (_, n) =>
    samples.subarray(n * 800, n * 800 + 800)
  )
  return tenths.filter(isTone).length
}

inChromium("a colleague", () => {
  const { chromium, plays } = microphone({ again: true })
  const started = startedDashboard({ lines: {}, chromium })

  it("hears a running call, whispers, talks with the caller, and hands the call back", async () => {
    plays(tone)
    const dashboard = started()
    let over = false
    let heard = (): Uint8Array => new Uint8Array()
    const calling = Effect.runPromise(
      dashboard.call(
        async (caller) => {
          heard = caller.hear
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
    await comesAbout("the caller hears the colleague for a second", () => tenthsOfTone(heard()) >= 10)
    await page.keyboard.press("o")
    await page.getByRole("button", { name: "Take over" }).waitFor()
    await page.getByText("You hear both sides. Nobody hears you.").waitFor()
    await page.getByRole("button", { name: "Stop listening" }).click()
    await page.getByRole("button", { name: "Listen", exact: true }).waitFor()
    over = true
    await calling
    await comesAbout("the call is over", async () => {
      const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<unknown> }>("GET", "/api/calls/live")
      return data.length === 0
    })
  })
})

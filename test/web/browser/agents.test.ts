/** An owner makes a voice agent, hears it through a microphone before anything is saved, and saves it; two people change one agent at once. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { betweenSamples } from "../../support/betweenSamples.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { heldMicrophone, microphone, speak } from "./Microphone.ts"
import { settled } from "./Seats.ts"

interface Agent {
  readonly id: string
  readonly name: string
  readonly systemPrompt: string
  readonly welcomeMessage: string
  readonly description: string
}

const secret = "The flower of the day is the tulip."
const script = [
  {
    when: /\S/,
    compose: ({ messages }: { readonly messages: ReadonlyArray<{ readonly content?: unknown }> }) =>
      JSON.stringify(messages).includes(secret) ? "Today it is the tulip." : "I was not told of any flower."
  }
]

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })

inChromium("a voice agent", () => {
  const { chromium, plays } = microphone({ again: false })
  const started = startedDashboard({
    lines: { question: "Hello, which flower do you have today?" },
    heardAs: betweenSamples,
    script,
    chromium
  })

  it("is made, changed, and heard with the changes before they are saved", async () => {
    const dashboard = started()
    plays(dashboard.samples("question"))
    const { page } = await dashboard.signIn("owner", "/agents", { scripts: [heldMicrophone] })
    await page.keyboard.press("n")
    await field(page, "Name").fill("Greenhouse")
    await page.getByRole("button", { name: "Create agent" }).click()
    await page.getByRole("heading", { level: 1, name: "Greenhouse" }).waitFor()
    await field(page, "Welcome message").fill("Welcome to the greenhouse.")
    await field(page, "Prompt").fill(secret)
    await page.getByText("2 changes not saved").waitFor()

    await page.getByRole("button", { name: "Test call" }).click()
    await page.getByText("with your unsaved changes").waitFor()
    await page.getByRole("button", { name: "Start test" }).click()
    const log = page.getByRole("log", { name: "What is said" })
    // With dots after it, it is still being said.
    await log.getByText("Welcome to the greenhouse.", { exact: true }).first().waitFor()
    await comesAbout("the caller is answered", async () => {
      await speak(page)
      // Sound of a browser that gets no processor has gaps. Callers who are not understood say it again.
      await log.getByText("Today it is the tulip.").first().waitFor({ timeout: 20_000 })
      return true
    })
    const stored = async (): Promise<Agent> => {
      const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<Agent> }>("GET", "/api/voice-agents")
      return data.find(({ name }) => name === "Greenhouse") ?? expect.fail("the agent is gone")
    }
    expect((await stored()).systemPrompt).not.toBe(secret)
    // A record has what was heard, so the answer is heard to its end.
    await comesAbout("the answer is in the record", async () => {
      const [call] = (
        await dashboard.ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>("GET", "/api/calls")
      ).data
      const { utterances } = await dashboard.ask<{ readonly utterances: ReadonlyArray<{ readonly text: string }> }>(
        "GET",
        `/api/calls/${call?.id}`
      )
      return utterances.some(({ text }) => text === "Today it is the tulip.")
    })
    await page.getByRole("button", { name: "End test" }).click()
    await page.getByText("The call is over.").waitFor()

    await page.keyboard.press("Control+s")
    await page.getByText("Saved. Calls have it from now on.").waitFor()
    expect(await stored()).toMatchObject({ systemPrompt: secret, welcomeMessage: "Welcome to the greenhouse." })
    await page.getByRole("link", { name: "Open the call" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.getByRole("region", { name: "Transcript" }).getByText("Today it is the tulip.").first().waitFor()
  })

  it("that somebody else has saved meanwhile is not overwritten: one chooses, setting by setting", async () => {
    const dashboard = started()
    const { id } = await dashboard.ask<Agent>("GET", `/api/voice-agents/${dashboard.tenant.agentId}`)
    const { page, watched } = await dashboard.signIn("owner", `/agents/${id}/basics`)
    await field(page, "Description").fill("Mine")
    await field(page, "Prompt").fill("My prompt.")
    await dashboard.ask("PUT", `/api/voice-agents/${id}`, { systemPrompt: "Their prompt.", welcomeMessage: "Theirs." })
    await page.keyboard.press("Control+s")
    const dialog = page.getByRole("dialog", { name: "Saved by somebody else" })
    await dialog.getByText("Theirs stay: Welcome message.").waitFor()
    await dialog.getByText("Yours come: Description.").waitFor()
    await dialog.getByRole("group", { name: "Prompt" }).getByRole("button", { name: "Theirs" }).click()
    await dialog.getByRole("button", { name: "Save with these" }).click()
    await comesAbout("both are saved", async () => {
      const agent = await dashboard.ask<Agent>("GET", `/api/voice-agents/${id}`)
      return (
        agent.description === "Mine" && agent.systemPrompt === "Their prompt." && agent.welcomeMessage === "Theirs."
      )
    })
    expect(watched.take()).toEqual([`PUT /api/voice-agents/${id} was answered with 409`])
  })

  it("asks before one leaves what is not saved, and keeps it over a reload", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("owner", `/agents/${dashboard.tenant.agentId}/basics`)
    await field(page, "Description").fill("Half a thought")
    await page.getByRole("link", { name: "Voice", exact: true }).click()
    await page.getByRole("region", { name: "Sounds natural" }).waitFor()
    await page.reload()
    await settled(page)
    await page.getByText("1 change not saved").waitFor()
    await page.getByRole("link", { name: "Back to the list" }).click()
    const dialog = page.getByRole("dialog", { name: "Leave with changes that are not saved?" })
    await dialog.getByRole("button", { name: "Undo changes and leave" }).click()
    await page.getByRole("heading", { level: 1, name: "Voice agents" }).waitFor()
  })

  it("is given a tool of this service with its own words, and an address that may be asked twice", async () => {
    const dashboard = started()
    const { agentId } = dashboard.tenant
    const { page } = await dashboard.signIn("admin", `/agents/${agentId}/tools`)
    const add = page.getByRole("button", { name: "Add a tool" })
    await add.click()
    await page.getByRole("combobox", { name: "What runs it" }).selectOption("This service")
    await page.getByRole("combobox", { name: "Built-in tool" }).selectOption("find_product")
    expect(await field(page, "Name").first().inputValue()).toBe("find_product")
    expect(await field(page, "What it is for").inputValue()).toContain("products")
    expect(await field(page, "Meaning").inputValue()).toContain("SKU")

    await add.click()
    await field(page, "Name").fill("reserve")
    await field(page, "What it is for").fill("Keeps a product for the caller.")
    await field(page, "Address").fill("https://shop.example.com/reserve")
    const twice = page.getByRole("switch", { name: "May be asked twice" })
    await page.getByRole("combobox", { name: "Method" }).selectOption("PUT")
    await twice.waitFor({ state: "detached" })
    await page.getByRole("combobox", { name: "Method" }).selectOption("POST")
    await twice.click()
    await page.keyboard.press("Control+s")
    await comesAbout("both tools are saved", async () => {
      const { tools } = await dashboard.ask<{ readonly tools: ReadonlyArray<{ readonly handler?: object }> }>(
        "GET",
        `/api/voice-agents/${agentId}`
      )
      const handlers = JSON.stringify(tools.map(({ handler }) => handler))
      return handlers.includes('"name":"find_product"') && handlers.includes('"idempotent":true')
    })
  })
})

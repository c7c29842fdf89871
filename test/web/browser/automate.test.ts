/** What answers by itself: a knowledge base that is filled and searched, an agent that is tried with it, and two runs of an evaluation beside each other. */
import { expect, it } from "vitest"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { until } from "./Seats.ts"

const search = { name: "search_knowledge", arguments: { query: "return a book" } }

inChromium("knowledge and text agents", () => {
  const started = startedDashboard({
    script: [{ when: /return/i, tool: search, reply: (found) => `It says: ${found.split("\n").at(-1)}` }]
  })

  it("fill a base, show what is found and with which score, and answer from it in the try-out, before anything is saved", async () => {
    const dashboard = started()
    const name = `Shop ${Date.now() % 100_000}`
    const { page } = await dashboard.signIn("admin", "/knowledge")
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "Name" }).fill(name)
    await page.getByRole("button", { name: "Make the knowledge base" }).click()
    await page.getByRole("heading", { level: 1, name }).waitFor()
    await page.getByRole("button", { name: "Questions and answers" }).click()
    await page.getByRole("textbox", { name: "Question", exact: true }).last().fill("How long can I return a book?")
    await page.getByRole("textbox", { name: "Answer" }).fill("You can bring it back within 30 days.")
    await page.getByRole("button", { name: "Add and read" }).click()
    // The stream tells that it was read.
    await page.getByRole("list", { name: "Sources" }).getByText("Ready", { exact: true }).waitFor()
    const tried = page.getByRole("region", { name: "What an agent finds" })
    await tried.getByRole("textbox", { name: "Question" }).fill("return a book")
    await tried.getByRole("button", { name: "Look it up" }).click()
    await tried.getByText("An agent would answer with this.").waitFor()
    await tried.getByRole("list", { name: "Found" }).getByText("within 30 days").waitFor()

    await page.getByRole("link", { name: "AI agents" }).click()
    await page.getByRole("heading", { level: 1, name: "AI agents" }).waitFor()
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "Name" }).fill(`Assistant of ${name}`)
    await page.getByRole("button", { name: "Create agent" }).click()
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Knowledge" }).click()
    await page.getByRole("checkbox", { name }).check()
    await page.getByRole("button", { name: "Try it" }).click()
    const panel = page.getByRole("region", { name: "Try it" })
    await panel.getByText("with your unsaved changes").waitFor()
    await panel.getByRole("textbox", { name: "Message of the contact" }).fill("May I return it?")
    await page.keyboard.press("Enter")
    await panel.getByText("It says: You can bring it back within 30 days.").waitFor()
    await panel.getByText("From: Questions and answers").waitFor()
    await panel.getByRole("textbox", { name: "Message of the contact" }).fill("I want a human")
    await page.keyboard.press("Enter")
    await panel.getByText("The contact asked for a human.").first().waitFor()
    await page.getByRole("button", { name: "Undo changes" }).click()
  })

  it("play an evaluation, and put two runs beside each other", async () => {
    const dashboard = started()
    await dashboard.ask("POST", "/api/ai-agents", { name: `Shop assistant ${Date.now() % 100_000}`, answers: "never" })
    const { page } = await dashboard.signIn("owner", "/evaluations")
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "Name" }).fill("Greetings")
    await page.getByRole("textbox", { name: "What it is about" }).fill("Wants a person")
    await page.getByRole("textbox", { name: "Text" }).fill("I want a human")
    await page
      .getByRole("combobox", { name: "What comes of it" })
      .selectOption({ label: "It hands over to a colleague" })
    await page.getByRole("button", { name: "Make the evaluation" }).click()
    for (const n of [1, 2]) {
      await page.getByRole("button", { name: "Play it" }).click()
      const dialog = page.getByRole("dialog", { name: "Play the evaluation" })
      await dialog.getByRole("button", { name: "Play it" }).click()
      await dialog.waitFor({ state: "detached" })
      await expect.poll(() => page.getByRole("list", { name: "Runs" }).getByText("1 of 1 passed").count()).toBe(n)
    }
    const both = page.getByRole("region", { name: "Wants a person" })
    await expect.poll(() => both.getByText("as expected", { exact: true }).count()).toBe(2)
    await until(page, `location.search.includes("left=") && location.search.includes("right=")`)
  })

  it("ask when somebody else saved an agent meanwhile, and bring an earlier version back", async () => {
    const dashboard = started()
    const name = `Shop assistant ${Date.now() % 100_000}`
    const made = await dashboard.ask<{ readonly id: string }>("POST", "/api/ai-agents", { name, answers: "never" })
    const path = `/api/ai-agents/${made.id}`
    const { page, watched } = await dashboard.signIn("owner", `/bots/${made.id}/basics`)
    const description = page.getByRole("textbox", { name: "Description" })
    await description.fill("Mine.")
    await dashboard.ask("PUT", path, { description: "Theirs.", fallbackLine: "One moment, please." })
    await page.keyboard.press("Control+s")
    const dialog = page.getByRole("dialog", { name: "Saved by somebody else" })
    await dialog.getByText("An API key saved this text agent").waitFor()
    await dialog.getByText("Theirs stay: Fallback sentence.").waitFor()
    await dialog.getByRole("button", { name: "Save with these" }).click()
    await page.getByText("Saved. It applies from the next answer on.").waitFor()
    expect(watched.take()).toEqual([`PUT ${path} was answered with 409`])
    expect(await dashboard.ask("GET", path)).toMatchObject({
      description: "Mine.",
      fallbackLine: "One moment, please."
    })

    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Versions" }).click()
    await page.getByText("Description, Fallback sentence").waitFor()
    await page.getByRole("button", { name: "Compare" }).last().click()
    const first = page.getByRole("dialog", { name: "Version 1, compared with now" })
    await first.getByRole("region", { name: "Description" }).getByText("Mine.").waitFor()
    await first.getByRole("button", { name: "Restore this version" }).click()
    await page.getByText("Version 1 is in force again.").waitFor()
    expect(await dashboard.ask("GET", path)).toMatchObject({ description: "" })
    await page.getByRole("listitem").filter({ hasText: "in force" }).getByText("4", { exact: true }).waitFor()
  })
})

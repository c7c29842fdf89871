/** The paths that people of the inbox go most, by the keyboard: quick replies, closed windows, calls, AI agents, several conversations at once. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { it } from "vitest"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import { comesAbout } from "../../support/eventually.ts"
import { type Dashboard, startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { until } from "./Seats.ts"

interface Shown {
  readonly id: string
  readonly status: string
  readonly assignee: string | null
  readonly unreadCount: number
  readonly snoozedUntil: string | null
}

const messaging = "/api/messaging-api"
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true })
const list = (page: Page) => page.getByRole("region", { name: "Conversations", exact: true })
const row = (page: Page, name: string) => list(page).getByText(name, { exact: true })
const isWriting = `document.activeElement?.matches("textarea")`
const isChoosing = `document.activeElement?.getAttribute("role") === "combobox"`

inChromium("the most frequent paths of the inbox", () => {
  const started = startedDashboard()
  const shown = (dashboard: Dashboard, id: string) => dashboard.ask<Shown>("GET", `${messaging}/chats/${id}`)
  const opened = async (dashboard: Dashboard, name: string, text = "Hello?") => {
    const contact = dashboard.somebody(name)
    const chat = await dashboard.write(contact, text)
    const { page } = await dashboard.signIn("agent", `/inbox?c=${chat.id}`)
    await heading(page, name).waitFor()
    return { contact, chat, page }
  }

  it("answers with a quick reply: the slash, two letters, Enter and Ctrl Enter", async () => {
    const dashboard = started()
    await dashboard.ask("POST", `${messaging}/quick-replies`, {
      shortcut: "zebra",
      text: "Hello {{firstName|there}}, the zebra book is here."
    })
    const { contact, page } = await opened(dashboard, "Quentin Quick")
    await page.keyboard.press("r")
    await until(page, isWriting)
    await page.keyboard.press("Control+;")
    await until(page, isChoosing)
    await page.keyboard.type("thanks")
    await page.keyboard.press("Enter")
    await until(page, isWriting)
    await page.getByRole("textbox", { name: "Reply to the contact" }).filter({ hasText: "🙏" }).waitFor()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("/")
    await until(page, isChoosing)
    await page.getByRole("option", { name: "/zebra" }).waitFor()
    await page.keyboard.type("ze")
    await page.keyboard.press("Enter")
    await until(page, isWriting)
    await page.keyboard.press("Control+Enter")
    await comesAbout("it was sent", () =>
      JSON.stringify(dashboard.sentTo(contact)).includes("Hello Quentin, the zebra book is here.")
    )
  })

  it("answers after the window has closed with the template that fits, in three keys", async () => {
    const dashboard = started()
    const { contact, chat, page } = await opened(dashboard, "Late Lena")
    const { organizationId } = dashboard.tenant
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        tenant(organizationId)(
          sql`UPDATE conversations SET last_inbound_at = now() - interval '25 hours', updated_at = now() WHERE id = ${chat.id}`
        )
      ).pipe(Effect.provide(dashboard.services))
    )
    await page.reload()
    await page.getByText("Free text is closed").waitFor()
    await page.keyboard.press("r")
    await until(page, isChoosing)
    await page.getByRole("option").first().waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("What arrives").waitFor()
    await page.keyboard.press("Control+Enter")
    await comesAbout("a template was sent", () =>
      JSON.stringify(dashboard.sentTo(contact)).includes("we_have_an_answer")
    )
  })

  it("says what a contact wants in a summary, and leads from a word of a call to its second in the recording", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("agent", `/calls/${dashboard.callId}`)
    await page.getByText("Is my order ready?").first().waitFor()
    const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<Shown> }>(
      "GET",
      `${messaging}/chats?channel=voice`
    )
    await page.goto(`/inbox?c=${data[0]?.id}`)
    const thread = page.getByRole("log")
    const word = thread.getByRole("link", { name: "Is my order ready?" })
    await word.waitFor()
    await page.getByRole("button", { name: "Sum up the conversation" }).click()
    await page.getByRole("region", { name: "Summary" }).getByText("made").waitFor()
    await word.click()
    await page.waitForURL(/\/calls\/call_\w+\?t=/)
  })

  it("takes a conversation over from an AI agent with one key, before anything is typed", async () => {
    const dashboard = started()
    const { chat, page } = await opened(dashboard, "Botho Before")
    const agent = await dashboard.ask<{ readonly id: string }>("POST", "/api/ai-agents", {
      name: "Helper of the desk",
      systemPrompt: "You help.",
      answers: "never"
    })
    await dashboard.ask("PATCH", `${messaging}/chats/${chat.id}`, { assignee: agent.id })
    await page.getByText("Helper of the desk answers here by itself.").waitFor()
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = () => done()
    })
    await page.route(`**/chats/${chat.id}`, async (route) => {
      // The page does not wait for the service to be silent.
      await held
      await route.continue()
    })
    await page.keyboard.press("m")
    await until(page, `!document.body.textContent.includes("answers here by itself")`)
    answer()
    await comesAbout(
      "it is theirs",
      async () => (await shown(dashboard, chat.id)).assignee === dashboard.people.agent.id
    )
  })

  it("snoozes, keeps unread, and changes several at once, each with its undo", async () => {
    const dashboard = started()
    const first = await dashboard.write(dashboard.somebody("Selma Several"), "One.")
    const second = await dashboard.write(dashboard.somebody("Tomas Several"), "Two.")
    const { page } = await dashboard.signIn("agent", `/inbox?search=Several&c=${second.id}`)
    await heading(page, "Tomas Several").waitFor()
    await row(page, "Selma Several").waitFor()
    await page.keyboard.press("x")
    await page.keyboard.press("Shift+J")
    const bar = page.getByRole("region", { name: "Selected conversations" })
    await bar.getByText("2 selected").waitFor()
    await bar.getByRole("button", { name: "Resolve" }).click()
    const both = async () => [(await shown(dashboard, first.id)).status, (await shown(dashboard, second.id)).status]
    await comesAbout("both are resolved", async () => (await both()).every((status) => status === "RESOLVED"))
    await page.keyboard.press("z")
    await comesAbout("both are open again", async () => (await both()).every((status) => status === "OPEN"))

    await page.goto(`/inbox?search=Several&c=${first.id}`)
    await heading(page, "Selma Several").waitFor()
    await comesAbout("it is read", async () => (await shown(dashboard, first.id)).unreadCount === 0)
    await page.keyboard.press("u")
    await comesAbout("it is unread", async () => (await shown(dashboard, first.id)).unreadCount === 1)
    await page.getByText("No conversation is open.").waitFor()

    await page.goto(`/inbox?search=Several&c=${second.id}`)
    await heading(page, "Tomas Several").waitFor()
    await page.keyboard.press("h")
    await until(page, isChoosing)
    await page.keyboard.press("Enter")
    await comesAbout("it is snoozed", async () => (await shown(dashboard, second.id)).snoozedUntil !== null)
    await comesAbout("it has left the view", async () => (await row(page, "Tomas Several").count()) === 0)
    await page.goto("/inbox?view=snoozed")
    await row(page, "Tomas Several").waitFor()
  })

  it("makes two records of one person one: field by field, and the conversation follows", async () => {
    const dashboard = started()
    const { chat } = await opened(dashboard, "Twice Tara")
    const other = await dashboard.ask<{ readonly id: string }>("POST", `${messaging}/contacts`, {
      phone: "+919812300001",
      name: "Tara Twice",
      email: "tara@example.com"
    })
    const { page } = await dashboard.signIn("agent", "/contacts?search=twice")
    await page.getByRole("button", { name: "Name" }).click()
    await page.getByRole("button", { name: "Name ascending", pressed: true }).waitFor()
    await page.getByText("Tara Twice", { exact: true }).click()
    await page.getByRole("button", { name: "Merge", exact: true }).click()
    await until(page, isChoosing)
    await page.keyboard.type("twice ta")
    await page.getByRole("option", { name: "Twice Tara" }).waitFor()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "Merge two contacts" })
    await dialog.getByRole("radio", { name: "Twice Tara" }).check()
    await dialog.getByRole("button", { name: "Merge", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Twice Tara" }).waitFor()
    await page.getByText("tara@example.com").waitFor()
    await comesAbout("the conversation followed", async () => {
      const { contact } = await dashboard.ask<{ readonly contact: { readonly id: string } }>(
        "GET",
        `${messaging}/chats/${chat.id}`
      )
      return contact.id === other.id
    })
    // The id of the merged record leads to the one that stays.
    await page.goto(`/contacts/${chat.contact.id}`)
    await page.waitForURL(`**/contacts/${other.id}`)
  })

  it("says who is writing, before two people answer", async () => {
    const dashboard = started()
    const { chat, page } = await opened(dashboard, "Two Writers")
    const owner = await dashboard.signIn("owner", `/inbox?c=${chat.id}`)
    await heading(owner.page, "Two Writers").waitFor()
    await owner.page.keyboard.press("r")
    await until(owner.page, isWriting)
    await owner.page.keyboard.type("I have")
    await page.getByText("Meera Kapoor is writing").waitFor()
    await owner.page.keyboard.press("Control+Enter")
    await page.getByText("Meera Kapoor is looking").waitFor()
  })
})

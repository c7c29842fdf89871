/** What an organization's owner does by hand for programs and people: webhooks, API keys, the team, servers of tools. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type SimulatedTool, start as startMcpServer, text } from "../../../simulators/mcp/McpServer.ts"
import { start, type WebhookReceiver } from "../../../simulators/webhook-receiver/WebhookReceiver.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { settled } from "./Seats.ts"

/** Everything that a browser keeps: storages, databases, history, the page itself. */
const everythingKept = `(async () => {
  const databases = await Promise.all((await indexedDB.databases()).map(({ name }) => new Promise((done, failed) => {
    const opening = indexedDB.open(name)
    opening.onerror = failed
    opening.onsuccess = () => {
      const names = [...opening.result.objectStoreNames]
      if (names.length === 0) return done([])
      const reading = opening.result.transaction(names)
      Promise.all(names.map((one) => new Promise((read) => {
        const all = reading.objectStore(one).getAll()
        all.onsuccess = () => read(all.result)
      }))).then(done)
    }
  })))
  const fields = [...document.querySelectorAll("input, textarea")].map(({ value }) => value)
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, history.state, location.href, fields]) +
    document.documentElement.outerHTML
})()`

inChromium("the settings", () => {
  const started = startedDashboard()
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await start()
  })
  afterAll(() => receiver.close())

  it("make a webhook whose secret is seen once, show what was sent and answered, and send it again", async () => {
    const { page } = await started().signIn("owner", "/settings/webhooks")
    receiver.behave("/shop", { kind: "answer", status: 500, body: '{"reason":"no room"}' })
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/shop`)
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Shop")
    await page.getByRole("button", { name: "Only some" }).click()
    await page.getByRole("checkbox", { name: "Orders" }).check()
    await page.getByRole("button", { name: "Make the webhook" }).click()
    const secret = await page.getByText(/^whsec_/).textContent()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor()
    expect(await page.evaluate(everythingKept)).not.toContain(secret)

    await page.getByRole("button", { name: "Send a test" }).click()
    const delivery = page.getByRole("dialog", { name: "Delivery" })
    await delivery.getByText("HTTP 500").waitFor()
    await delivery.getByRole("region", { name: "What your server answered" }).getByText("no room").waitFor()
    await delivery.getByRole("region", { name: "What we sent" }).getByText('"type": "webhook.test"').waitFor()
    receiver.behave("/shop", { kind: "answer", status: 200 })
    await delivery.getByRole("button", { name: "Send again" }).click()
    await delivery.getByText("delivered").waitFor()
    const ids = receiver.to("/shop").map(({ headers }) => headers["webhook-id"])
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(1)
    await page.keyboard.press("Escape")

    await page.getByRole("switch", { name: "Gets events" }).click()
    await page.getByText("The webhook is off.").waitFor()
    expect(await page.getByRole("button", { name: "Send a test" }).isDisabled()).toBe(true)
  })

  it("make an API key that is seen once and is nowhere afterwards, and revoke it when its name is typed", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("admin", "/settings/keys")
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "Name" }).fill("Web shop")
    await page.getByRole("checkbox", { name: "Read contacts" }).check()
    // Only an owner may give assistants access.
    expect(await page.getByRole("checkbox", { name: "Connect assistants over MCP" }).count()).toBe(0)
    await page.getByRole("button", { name: "Make the key" }).click()
    const key = (await page.getByText(/^mk_\w{8}_/).textContent()) ?? ""
    const contacts = () => dashboard.request("GET", "/api/messaging-api/contacts", undefined, key)
    expect((await contacts()).status).toBe(200)
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page.getByRole("listitem").filter({ hasText: "Web shop" }).first().waitFor()
    expect(await page.evaluate(everythingKept)).not.toContain(key)
    await page.goto("/settings/webhooks")
    await page.goBack()
    await settled(page)
    expect(await page.evaluate(everythingKept)).not.toContain(key)

    await page.getByRole("button", { name: "Revoke Web shop" }).click()
    const revoke = page.getByRole("button", { name: "Revoke for good" })
    expect(await revoke.isDisabled()).toBe(true)
    await page.getByRole("textbox", { name: "Type Web shop to revoke" }).fill("Web shop")
    await revoke.click()
    await page.getByText("The key is revoked.").waitFor()
    expect((await contacts()).status).toBe(401)
  })

  it("invite a person by a link, change their role, and tell of it in the audit log", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("owner", "/settings/team")
    await page.keyboard.press("n")
    await page.getByRole("textbox", { name: "E-mail" }).fill("noor@maplebooks.example")
    await page.getByRole("textbox", { name: "Name" }).fill("Noor Haddad")
    await page.getByRole("button", { name: "Make the link" }).click()
    const link = (await page.getByText(/\/invite#/).textContent()) ?? ""
    await page.getByRole("button", { name: "I have kept it" }).click()

    const noor = await dashboard.visitor()
    await noor.page.goto(link)
    await noor.page.getByLabel("New password").fill("quiet shelves at dawn")
    await noor.page.keyboard.press("Enter")
    await noor.page.getByRole("link", { name: "Inbox" }).waitFor()
    await noor.page.goto("/settings/team")
    await noor.page.getByText("Only owners and admins see this.").waitFor()

    const role = page.getByRole("combobox", { name: "Role of Noor Haddad" })
    await role.selectOption({ label: "Admin" })
    await page.getByText("Saved.").waitFor()
    await comesAbout("Noor is an admin", async () => (await role.inputValue()) === "ADMIN")
    // Another role begins with another sign-in.
    await noor.page.reload()
    await noor.page.getByRole("button", { name: "Sign in" }).waitFor()
    expect(noor.watched.take().filter((problem) => !problem.endsWith("401"))).toEqual([])

    await role.selectOption({ label: "Agent" })
    await page
      .getByRole("dialog", { name: "Make Noor Haddad Agent?" })
      .getByRole("button", { name: "Change the role" })
      .click()
    await comesAbout("Noor is an agent", async () => (await role.inputValue()) === "AGENT")
    await page.goto("/settings/audit?action=user.updated")
    const entry = page.getByRole("list", { name: "Audit log" }).getByRole("listitem").first()
    await entry.getByText("Meera Kapoor").click()
    await entry.getByText('"role": "AGENT"').waitFor()
  })

  it("add a server of tools, approve one, ask again when it has changed, and give it to an agent", async () => {
    const dashboard = started()
    const track: SimulatedTool = {
      name: "track_parcel",
      description: "Says where a parcel is.",
      inputSchema: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
      run: () => text("In Pune.")
    }
    const remote = await startMcpServer({ tools: [track] })
    try {
      const { page } = await dashboard.signIn("admin", "/settings/mcp")
      await page.getByRole("button", { name: "Add a server" }).click()
      await page.getByRole("textbox", { name: "Name" }).fill("Parcels")
      await page.getByRole("textbox", { name: "Address" }).fill(remote.url)
      await page.getByRole("button", { name: "Add and try" }).click()
      await page.getByRole("heading", { level: 1, name: "Parcels" }).waitFor()
      const tool = page.getByRole("list", { name: "Tools" }).getByRole("listitem").first()
      const ticked = tool.getByRole("checkbox", { name: "track_parcel" })
      await tool.getByText("new", { exact: true }).waitFor()
      await ticked.check()
      await page.getByRole("button", { name: "Approve what is ticked" }).click()
      await tool.getByText("approved", { exact: true }).waitFor()

      await remote.offer([{ ...track, description: "Says where a parcel is, and pays its customs." }])
      await page.getByRole("button", { name: "Ask it again" }).click()
      await tool.getByText("has changed").waitFor()
      await tool.getByText(/^The description was/).waitFor()
      await tool.getByText("Says where a parcel is, and pays its customs.", { exact: true }).waitFor()
      expect(await ticked.isChecked()).toBe(false)
      await ticked.check()
      await page.getByRole("button", { name: "Approve what is ticked" }).click()
      await tool.getByText("approved", { exact: true }).waitFor()

      const { agentId } = dashboard.tenant
      const agent = await dashboard.signIn("admin", `/agents/${agentId}/tools`)
      await agent.page.getByRole("button", { name: "Add a tool" }).click()
      await agent.page.getByRole("combobox", { name: "What runs it" }).selectOption("An MCP server")
      await agent.page.getByRole("combobox", { name: "Tool of the server" }).selectOption("Parcels: track_parcel")
      await agent.page.keyboard.press("Control+s")
      await comesAbout("the agent has the approved tool", async () => {
        const { tools } = await dashboard.ask<{ readonly tools: ReadonlyArray<object> }>(
          "GET",
          `/api/voice-agents/${agentId}`
        )
        return JSON.stringify(tools).includes('"tool":"track_parcel"')
      })
    } finally {
      await remote.close()
    }
  })
})

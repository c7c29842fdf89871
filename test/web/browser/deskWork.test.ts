/** What people of the desk do with more than words: places, cards and reactions, files of contacts, broadcasts, numbers, and a call that goes wrong. */
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { comesAbout } from "../../support/eventually.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { until } from "./Seats.ts"

const messaging = "/api/messaging-api"
const dialogOf = (page: Page) => page.getByRole("dialog")
const isChoosing = `document.activeElement?.getAttribute("role") === "combobox"`

inChromium("the desk", () => {
  // Waiting for many messages asks more often than a key may in a minute.
  const started = startedDashboard({ settings: { requestsPerMinute: 0 } })

  it("sends a place and a contact card, reacts to a message, and takes the reaction back", async () => {
    const dashboard = started()
    const contact = dashboard.somebody("Where Wanda")
    const chat = await dashboard.write(contact, "Where is your shop?")
    const { page } = await dashboard.signIn("agent", `/inbox?c=${chat.id}`)
    const thread = page.getByRole("log")
    await thread.getByText("Where is your shop?").waitFor()
    const more = async (name: string) => {
      await page.getByRole("button", { name: "Send a place or a contact card" }).click()
      await page.getByRole("option", { name }).click()
    }
    await more("A place")
    const place = dialogOf(page)
    await place.getByLabel("Where it is").fill("the harbour")
    await place.getByText("There are no coordinates in this.").waitFor()
    await place.getByLabel("Where it is").fill("https://www.openstreetmap.org/#map=17/37.77490/-122.41940")
    await place.getByLabel("Name", { exact: true }).fill("Maple Books")
    await place.getByLabel("Address, if it has one").fill("12 Harbor Street")
    await place.getByRole("button", { name: "Send place" }).click()
    await thread.locator("[id^=msg_]").getByText("Maple Books").waitFor()

    await more("A contact card")
    await dialogOf(page).getByRole("button", { name: "Take it from a contact" }).click()
    await until(page, isChoosing)
    await page.keyboard.type("Elena")
    await page.getByRole("option", { name: "Elena Sørensen" }).click()
    await dialogOf(page).getByLabel("Company").fill("Maple Books")
    await dialogOf(page).getByRole("button", { name: "Send card" }).click()
    await thread.locator("[id^=msg_]").getByText("Elena Sørensen").waitFor()

    await thread.getByText("Where is your shop?").hover()
    await thread.getByRole("button", { name: "React" }).first().click()
    await until(page, isChoosing)
    await page.keyboard.type("thanks")
    await page.keyboard.press("Enter")
    await thread.getByRole("button", { name: "We reacted 🙏. Take it back" }).click()
    await comesAbout("all four have arrived", () => dashboard.sentTo(contact).length === 4)
    expect(dashboard.sentTo(contact).map(({ body }) => body)).toEqual([
      expect.objectContaining({
        location: { latitude: "37.7749", longitude: "-122.4194", name: "Maple Books", address: "12 Harbor Street" }
      }),
      expect.objectContaining({
        contacts: [expect.objectContaining({ name: expect.objectContaining({ first_name: "Elena" }) })]
      }),
      expect.objectContaining({ reaction: expect.objectContaining({ emoji: "🙏" }) }),
      expect.objectContaining({ reaction: expect.objectContaining({ emoji: "" }) })
    ])
    await comesAbout("it is gone", async () => (await thread.getByText("🙏").count()) === 0)
  })

  it("leads from the id of a message to its place in the conversation, however far back it lies", {
    timeout: 60_000
  }, async () => {
    const dashboard = started()
    const contact = dashboard.somebody("Many Words")
    const lines = Array.from({ length: 70 }, (_, at) => `Line ${at} of a long story`)
    const chat = await dashboard.write(contact, ...lines)
    const { messages } = await dashboard.ask<{
      readonly messages: ReadonlyArray<{ readonly id: string; readonly content: { readonly text?: string } }>
    }>("GET", `${messaging}/chats/${chat.id}?limit=100`)
    const first = messages.find(({ content }) => content.text === lines[0])?.id ?? "none"
    const { page, watched } = await dashboard.signIn("agent", `/go/${first}`)
    await page.getByRole("log").getByText(lines[0], { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe(`#${first}`)
    await until(
      page,
      `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.getElementById("${first}").getBoundingClientRect())`
    )
    await page.goto("/go/msg_01KAJ3W4B8XR2K0S1P4E6F7G8H")
    await page.getByText("There is nothing at this address.").waitFor()
    expect(watched.take()).toEqual([
      "GET /api/messaging-api/messages/msg_01KAJ3W4B8XR2K0S1P4E6F7G8H was answered with 404"
    ])
  })

  it("imports contacts from a file after a trial, and gives one of them all that is known of them", async () => {
    const { signIn } = started()
    const { page } = await signIn("owner", "/contacts")
    const tag = `fair ${Date.now()}`
    await page.getByRole("button", { name: "Import", exact: true }).click()
    const dialog = dialogOf(page)
    await dialog.locator("input[type=file]").setInputFiles({
      name: "fair.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("phone,name,shoe size\n+14155553301,Imke Import,42\n12,Nobody,43\n")
    })
    await dialog.getByLabel("Tags for all rows").fill(tag)
    await dialog.getByRole("button", { name: "Check the file" }).click()
    await dialog.getByText("Columns that are not read: shoe size").waitFor()
    await dialog.getByText("Row 3").waitFor()
    await dialog.getByRole("button", { name: /^Import \d+ row/ }).click()
    await dialog.getByRole("button", { name: "Done" }).click()
    await page.getByLabel("Tag", { exact: true }).selectOption(tag)
    await page.getByRole("link", { name: "Imke Import" }).click()
    await page.getByRole("button", { name: /^Make (the file|it anew)$/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download", exact: true }).click()
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
    const chunks: Array<Buffer> = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
    // A ZIP file begins with these letters.
    expect(Buffer.concat(chunks).subarray(0, 2).toString()).toBe("PK")
  })

  it("sends a broadcast to those with a tag, once it has said how many they are", async () => {
    const dashboard = started()
    const tag = `launch ${Date.now()}`
    const people = ["Lea", "Leo"].map((name) => dashboard.somebody(name))
    for (const { waId, name } of people)
      await dashboard.ask("POST", `${messaging}/contacts`, { phone: `+${waId}`, name, tags: [tag], optedIn: true })
    const { page } = await dashboard.signIn("owner", "/broadcasts")
    await page.getByRole("button", { name: "New broadcast" }).first().click()
    const dialog = dialogOf(page)
    await dialog.getByLabel("Name", { exact: true }).fill("Launch")
    await dialog.getByLabel("Template", { exact: true }).selectOption({ label: "we_have_an_answer · en_US" })
    await dialog.getByRole("textbox").nth(1).fill("{{firstName|there}}")
    await dialog.getByRole("checkbox", { name: tag }).check()
    await dialog.getByRole("button", { name: "Create draft" }).click()
    await page.getByRole("heading", { level: 1, name: "Launch" }).waitFor()
    await page.getByRole("button", { name: /^Start/ }).click()
    await dialogOf(page).getByText("Nothing can call it back.").waitFor()
    await dialogOf(page).getByRole("button", { name: "Start sending" }).click()
    await comesAbout("both have it", () => people.every((one) => dashboard.sentTo(one).length === 1))
    expect(JSON.stringify(people.flatMap((one) => dashboard.sentTo(one)))).toContain("Lea")
    await page.getByText("completed", { exact: false }).first().waitFor()
  })

  it("buys a number, which its agent answers", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("owner", "/numbers")
    await page.getByRole("button", { name: "Add a number" }).first().click()
    const dialog = dialogOf(page)
    await dialog.getByRole("button", { name: "Search" }).click()
    const offer = dialog.getByRole("listitem").first()
    const number = (await offer.locator("b").textContent()) ?? ""
    await offer.getByRole("button", { name: "Buy" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByText(number).first().waitFor()
    const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<{ readonly origin: string }> }>(
      "GET",
      "/api/voice-phone-numbers"
    )
    expect(data.filter(({ origin }) => origin === "purchased")).toHaveLength(1)
  })

  it("ends a running call from the list of live calls: X, and X again", async () => {
    const dashboard = started()
    const { page } = await dashboard.signIn("agent", "/live")
    const calling = Effect.runPromise(
      dashboard.call(
        async (caller) => {
          await caller.waitForAgentToFinish()
          // The caller stays until somebody else ends the call.
          await caller.sleep(60_000)
        },
        { from: "+14155553399" }
      )
    )
    await page.getByText("+1 415 555 3399").first().click()
    await page.getByRole("button", { name: /^End call/ }).waitFor()
    await page.keyboard.press("x")
    await page.getByText("Once more to end").waitFor()
    await page.keyboard.press("x")
    await page.getByText("The agent says goodbye and hangs up.").waitFor()
    const result = await calling
    expect(result.durationMs).toBeLessThan(60_000)
    await comesAbout("the record says who ended it", async () => {
      const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<{ readonly endReason: string | null }> }>(
        "GET",
        "/api/calls?limit=1"
      )
      return data[0]?.endReason === "agent_hangup"
    })
  })
})

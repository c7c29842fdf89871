/** What an organization connects and keeps: an integration that is set up, watched and mended by hand, and a company with a field of its own. */
import { afterAll, beforeAll, expect, it } from "vitest"
import * as WooCommerce from "../../../simulators/store/WooCommerce.ts"
import { start, type WebhookReceiver } from "../../../simulators/webhook-receiver/WebhookReceiver.ts"
import { leftCart } from "../../../src/cli/demo/shop.ts"
import { comesAbout } from "../../support/eventually.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { until } from "./Seats.ts"

const signingSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

inChromium("what an organization connects and keeps", () => {
  // A cart is waited for by the organization's key, longer than its requests of a minute last.
  const started = startedDashboard({ settings: { requestsPerMinute: 0 } })
  let crm: WebhookReceiver
  beforeAll(async () => {
    crm = await start()
  })
  afterAll(() => crm.close())

  it("connects an address by the fields that it asks for, shows what was sent there, and sends again what was refused", async () => {
    const dashboard = started()
    // A story that is told again finds what it left.
    await dashboard.request("DELETE", "/api/integrations/webhook")
    const serial = 1_000 + (Date.now() % 4_000)
    const [fine, refused] = [`Asha ${serial}`, `Rita ${serial}`]
    const { page, watched } = await dashboard.signIn("owner", "/integrations")
    await page.getByRole("link", { name: "Webhook", exact: true }).click()
    await page.getByLabel("Address", { exact: true }).fill(`${crm.url}/contacts`)
    await page.getByLabel("Signing secret", { exact: true }).fill("tooshort")
    await page.getByRole("button", { name: "Try and connect" }).click()
    await page.getByRole("alert").filter({ hasText: "whsec_" }).waitFor()
    expect(watched.take().join()).toContain("400")

    await page.getByLabel("Signing secret", { exact: true }).fill(signingSecret)
    await page.getByLabel("Name", { exact: true }).fill("full_name")
    await page.getByRole("button", { name: "Try and connect" }).click()
    const state = page.getByRole("region", { name: "State", exact: true })
    await state.getByText("Working", { exact: true }).waitFor()
    expect(await page.content()).not.toContain(signingSecret)

    const create = (name: string, phone: string) =>
      dashboard.ask("POST", "/api/messaging-api/contacts", { name, phone })
    const log = page.getByRole("list", { name: "Log" })
    await create(fine, `+1415558${serial}`)
    await expect.poll(() => crm.to("/contacts").some(({ body }) => body.includes(`"full_name":"${fine}"`))).toBe(true)
    await page.getByRole("button", { name: "Read again" }).click()
    await log.getByText("200").first().click()
    await log.getByText(fine).first().waitFor()

    crm.behave("/contacts", { kind: "answer", status: 422, body: "This name is not allowed." })
    await create(refused, `+1415557${serial}`)
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Test", exact: true }).click()
          return page.getByRole("region", { name: "Changes that were given up" }).count()
        },
        { interval: 1_000 }
      )
      .toBe(1)
    crm.behave("/contacts", { kind: "answer", status: 200 })
    await page.getByRole("button", { name: "Try all again" }).click()
    await page.getByText(/tried again\.$/).waitFor()
    await expect.poll(() => crm.to("/contacts").filter(({ body }) => body.includes(refused)).length).toBeGreaterThan(1)
    await page.getByRole("region", { name: "Changes that were given up" }).waitFor({ state: "detached" })

    await page.getByRole("button", { name: "Switch off" }).click()
    await state.getByText("Switched off").waitFor()
    await page.getByRole("button", { name: "Disconnect", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect", exact: true }).click()
    await page.getByText("Webhook is disconnected.").waitFor()
    await page.getByRole("button", { name: "Try and connect" }).waitFor()
  })

  it("shows what customers left in their carts, what that is worth, and what a contact has ordered", {
    timeout: 180_000
  }, async () => {
    const dashboard = started()
    const store = await WooCommerce.start()
    try {
      const { connection } = await dashboard.ask<{ readonly connection: { readonly webhookUrl: string } }>(
        "PUT",
        "/api/integrations/woocommerce",
        { settings: { url: store.url }, credentials: WooCommerce.wooKeys }
      )
      const { body, headers } = WooCommerce.deliveryOf("order.created", leftCart(Date.now()), {
        secret: store.webhooks[0].secret
      })
      expect((await fetch(connection.webhookUrl, { method: "POST", body, headers })).status).toBe(200)
      const [cart] = await comesAbout(
        "the cart counts as left",
        async () => {
          const { data } = await dashboard.ask<{ readonly data: ReadonlyArray<{ readonly contactId: string }> }>(
            "GET",
            "/api/carts?state=abandoned"
          )
          return data.length === 0 ? undefined : data
        },
        70
      )
      const { page } = await dashboard.signIn("agent", "/orders")
      await page.getByRole("link", { name: "Carts" }).click()
      const row = page.getByRole("list", { name: "Carts" }).getByRole("listitem").first()
      await row.getByText("$29.35").waitFor()
      await row.getByText("3 × Atlas of Rivers").waitFor()
      await page.getByText("Left in 30 days").waitFor()
      await page.getByRole("combobox", { name: "State" }).selectOption("recovered")
      await page.getByText("Nothing found.").waitFor()
      await page.getByRole("button", { name: "Clear the filter" }).click()

      const number = `B-${Date.now() % 100_000}`
      await dashboard.ask("POST", "/api/orders", {
        ...{ number, currency: "USD", contactId: cart.contactId },
        lines: [{ name: "Atlas of Rivers", quantity: 3, unitPrice: 600 }]
      })
      await row.getByRole("link", { name: "Contact" }).click()
      const orders = page.getByRole("region", { name: "Orders" })
      await orders.getByRole("link", { name: number }).click()
      await page.waitForURL(/\/orders\?open=ord_/)
    } finally {
      await dashboard.request("DELETE", "/api/integrations/woocommerce")
      await store.close()
    }
  })

  it("defines a field, makes a company with it, and finds the company again", async () => {
    const { page } = await started().signIn("admin", "/companies")
    // A story that is told again finds what it left.
    const [field, name] = [`Industry ${Date.now()}`, `Hill School ${Date.now()}`]
    await page.getByRole("button", { name: "Fields", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Add a field" }).click()
    await dialog.getByLabel("Name of the field").last().fill(field)
    await dialog.getByLabel("Kind").last().selectOption({ label: "Choice" })
    await dialog.getByLabel("What can be chosen").last().pressSequentially("School,Library,")
    await dialog.getByRole("button", { name: "Save fields" }).click()
    await dialog.waitFor({ state: "detached" })

    await page.keyboard.press("n")
    await dialog.getByLabel("Name", { exact: true }).fill(name)
    await dialog.getByLabel("Domain").fill("hill.example.com")
    await dialog.getByLabel(field).selectOption("School")
    await dialog.getByRole("button", { name: "Choose", exact: true }).click()
    await page.getByRole("combobox", { name: "Contacts" }).fill("Elena")
    await page.getByRole("option", { name: "Elena Sørensen" }).click()
    await dialog.getByText("Elena Sørensen").waitFor()
    await dialog.getByRole("button", { name: "Save", exact: true }).click()
    await dialog.waitFor({ state: "detached" })

    await page.getByLabel("Search", { exact: true }).fill(`hill ${name.slice(12)}`)
    await page.waitForURL(/search=/)
    await page.getByRole("link", { name }).click()
    await until(page, `[...document.querySelectorAll("dialog select")].at(-1)?.value === "School"`)
    await dialog.getByText("Elena Sørensen").waitFor()
    await dialog.getByRole("button", { name: "Archive" }).click()
    await page.getByText("Nothing found.").waitFor()
    await page.getByRole("checkbox", { name: "Archived" }).check()
    await page.getByRole("link", { name }).waitFor()
  })
})

/** An operator signs in, changes an organization and the gate of a flag with a reason, starts a run, and signs out. */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { comesAbout } from "../../support/eventually.ts"
import { operatorPassword } from "../../support/operators.ts"
import { newOrganization } from "../../support/tenants.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { settled } from "./Seats.ts"

inChromium("an operator", () => {
  const started = startedDashboard()

  it("signs in, changes an organization and the gate of a flag with a reason, and sees what happened", async () => {
    const dashboard = started()
    const email = `${randomUUID()}@parley.example`
    await dashboard.addOperator(email)
    const name = `Birch Tea ${randomUUID()}`
    const { id } = await Effect.runPromise(Effect.provide(newOrganization({ name }), dashboard.services))
    const { page, watched } = await dashboard.visitor()
    const dialog = page.getByRole("dialog")

    await page.goto("/operator/organizations")
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password").fill(operatorPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
    // One is where one wanted to go.
    await page.getByRole("heading", { name: "Organizations" }).waitFor()
    await page.getByLabel("Name or id").fill(id)
    // The list of what is searched takes the place of the list of all.
    await page.waitForURL(/search=/)
    await settled(page)
    await page.getByRole("link", { name: new RegExp(id) }).click()
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await dialog.getByLabel("Plan").selectOption("ENTERPRISE")
    // On Enterprise voice agents are off until somebody decides otherwise.
    await dialog.getByRole("switch", { name: "Voice agents" }).click()
    await dialog.getByLabel("Minutes of calls a month").fill("9000")
    const change = dialog.getByRole("button", { name: "Change the organization" })
    expect(await change.isDisabled(), "without a reason nothing is changed").toBe(true)
    await dialog.getByLabel("Reason").fill("They signed the contract.")
    await change.click()
    await page.getByText("“They signed the contract.”").waitFor()
    await page.getByText("0 of 9,000").waitFor()

    await page.getByRole("link", { name: "Flags" }).click()
    await page.getByRole("button", { name: "Change the gate" }).first().click()
    await dialog.getByLabel("Production: percent of organizations").fill("0")
    await dialog.getByLabel("Reason").fill("The voices are too quiet.")
    await dialog.getByRole("button", { name: "Set the gate" }).click()
    await page
      .getByText(/^0 of [1-9]\d* that have it may use it/)
      .first()
      .waitFor()
    const { flags } = await dashboard.ask<{ readonly flags: Record<string, boolean> }>("GET", "/api/organization")
    expect(flags.voiceAgents).toBe(false)

    await page.getByRole("link", { name: "Re-sync of agents" }).click()
    await page.getByRole("button", { name: "Start a run" }).click()
    await dialog.getByLabel("Id of one organization").fill(id)
    await dialog.getByLabel("Reason").fill("The voices are louder now.")
    await dialog.getByRole("button", { name: "Start the run" }).click()
    await page.getByText("“The voices are louder now.”").first().waitFor()
    await page.getByText("done", { exact: true }).first().waitFor()

    await page.getByRole("link", { name: "Nodes" }).click()
    await page.getByRole("button", { name: "Take out of use" }).click()
    await dialog.getByLabel("Reason").fill("The machine gets more memory.")
    await dialog.getByRole("button", { name: "Take out of use" }).click()
    await page.getByText("No other node takes calls now", { exact: false }).waitFor()
    await page.keyboard.press("Escape")
    // Callers would find nobody, so it is refused.
    expect(watched.take().map((problem) => problem.replace(/nod_\w+/, "…"))).toEqual([
      "POST /api/operator/nodes/…/drain was answered with 409"
    ])

    await page.getByRole("button", { name: "Sign out" }).first().click()
    await page.getByRole("heading", { name: "Operate Parley" }).waitFor()
    await settled(page)
    await comesAbout("the session is over on the server, too", async () => {
      const status = await page.evaluate("fetch('/api/operator/nodes').then(({ status }) => status)")
      return status === 401
    })
    watched.take()
  })
  it("opens the organization that they click while what they typed is not searched yet", async () => {
    const dashboard = started()
    const name = `Alder Books ${randomUUID()}`
    const { id } = await Effect.runPromise(Effect.provide(newOrganization({ name }), dashboard.services))
    const { page } = await dashboard.signInOperator("/operator/organizations")
    const link = page.getByRole("link", { name: new RegExp(id) })
    await link.waitFor()
    // The files of the next page come later than the search would begin.
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await page.getByLabel("Name or id").fill(id)
    await link.click()
    await page.getByRole("button", { name: "Change", exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/operator/organizations/${id}`)
  })
})

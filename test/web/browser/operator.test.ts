/** An operator signs in, finds an organization, changes its plan with a reason, closes a gate, starts a run, and signs out. */
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { comesAbout } from "../../support/eventually.ts"
import { operatorPassword } from "../../support/operators.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { settled } from "./Seats.ts"

inChromium("an operator", () => {
  const started = startedDashboard()

  it("signs in, changes an organization and the gate of a flag with a reason, and sees what happened", {
    timeout: 120_000
  }, async () => {
    const dashboard = started()
    const email = `${randomUUID()}@parley.example`
    await dashboard.addOperator(email)
    const { page } = await dashboard.visitor()
    await page.goto("/operator/organizations")
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password").fill(operatorPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
    // One is where one wanted to go.
    await page.getByRole("heading", { name: "Organizations" }).waitFor()
    const { organizationId } = dashboard.tenant
    await page.getByLabel("Name or id").fill(organizationId)
    await page.getByRole("link", { name: new RegExp(organizationId) }).click()
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await page.getByLabel("Plan").selectOption("ENTERPRISE")
    // On Enterprise voice agents are off until somebody decides otherwise.
    await page.getByRole("switch", { name: "Voice agents" }).click()
    await page.getByLabel("Minutes of calls a month").fill("9000")
    const change = page.getByRole("button", { name: "Change the organization" })
    expect(await change.isDisabled(), "without a reason nothing is changed").toBe(true)
    await page.getByLabel("Reason").fill("They signed the contract.")
    await change.click()
    await page.getByText("“They signed the contract.”").waitFor()
    await page.getByText("0 of 9,000").waitFor()

    await page.getByRole("link", { name: "Flags" }).click()
    await page.getByRole("button", { name: "Change the gate" }).first().click()
    await page.getByLabel("Production: percent of organizations").fill("0")
    await page.getByLabel("Reason").fill("The voices are too quiet.")
    await page.getByRole("button", { name: "Set the gate" }).click()
    await page.getByText("0 of 1 that have it may use it", { exact: false }).waitFor()
    const { flags } = await dashboard.ask<{ readonly flags: Record<string, boolean> }>("GET", "/api/organization")
    expect(flags.voiceAgents).toBe(false)

    await page.getByRole("link", { name: "Re-sync of agents" }).click()
    await page.getByRole("button", { name: "Start a run" }).click()
    await page.getByLabel("Reason").fill("The voices are louder now.")
    await page.getByRole("button", { name: "Start the run" }).click()
    await page.getByText("done", { exact: true }).waitFor()

    await page.getByRole("link", { name: "Nodes" }).click()
    await page.getByRole("button", { name: "Take out of use" }).click()
    await page.getByLabel("Reason").fill("The machine gets more memory.")
    await page.getByRole("dialog").getByRole("button", { name: "Take out of use" }).click()
    await page.getByText("No other node takes calls now", { exact: false }).waitFor()
    await page.keyboard.press("Escape")

    await page.getByRole("button", { name: "Sign out" }).first().click()
    await page.getByRole("heading", { name: "Operate Parley" }).waitFor()
    await settled(page)
    await comesAbout("the session is over on the server, too", async () => {
      const status = await page.evaluate("fetch('/api/operator/nodes').then(({ status }) => status)")
      return status === 401
    })
  })
})

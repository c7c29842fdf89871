/** A page that stays open while much happens. An hour of it is played by `npm run bench -- dashboard`; this is some minutes. */
import type { Conversation, Message } from "@parley/client"
import { expect, it } from "vitest"
import { playBusyTime } from "./BusyTime.ts"
import { startedDashboard } from "./Dashboard.ts"
import { fedStream } from "./FedStream.ts"
import { inChromium } from "./inChromium.ts"

const minutes = 3

inChromium("a page that stays open", () => {
  const started = startedDashboard()

  it("holds little of 10 events a second, and asks the service at most six times a minute", async () => {
    const dashboard = started()
    const chat = await dashboard.write(dashboard.somebody("Asha Rao"), "Is my order ready?")
    const {
      messages,
      calls: _,
      ...conversation
    } = await dashboard.ask<Conversation & { readonly messages: ReadonlyArray<Message>; readonly calls: unknown }>(
      "GET",
      `/api/messaging-api/chats/${chat.id}`
    )
    const [message] = messages
    if (message === undefined) throw new Error("There is no message.")
    const { page, context } = await dashboard.signIn("agent", "/you", { scripts: [fedStream] })
    const report = await playBusyTime(context, page, { seconds: minutes * 60, conversation, message })
    const second = minutes * 60 - 60
    await page.getByRole("log").getByText(`of second ${second}:`).waitFor()
    expect(report.grownMb, "MB more").toBeLessThan(4)
    const asked = Object.values(report.requests).reduce((sum, one) => sum + one, 0)
    expect(asked, JSON.stringify(report.requests)).toBeLessThanOrEqual(6 * minutes)
  })
})

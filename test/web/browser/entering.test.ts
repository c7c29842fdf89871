/** How people get into the dashboard: the first owner of an installation, who is invited, and who changes or has lost the password. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { comesAbout } from "../../support/eventually.ts"
import { startedEmpty } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { type Seat, settled } from "./Seats.ts"

const passwords = {
  owner: "quiet shelves at dawn",
  invited: "seven brass buttons",
  reset: "nine wooden ladders",
  changed: "eleven paper lanterns"
}

/** The page that people begin with: what is still to be set up, or the inbox. */
const entered = (page: Page) => page.getByRole("heading", { level: 1, name: /^(Start|Inbox)$/ }).waitFor()

const signIn = async ({ page }: Seat, email: string, password: string) => {
  await page.goto("/sign-in")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** A request of the person who is signed in in this browser. */
const asPerson = async <A>({ page }: Seat, method: string, path: string, data?: object): Promise<A> => {
  const session = await page.request.get("/api/session")
  const { csrfToken } = (await session.json()) as { readonly csrfToken: string }
  const headers = { "x-csrf-token": csrfToken }
  const answer = await page.request.fetch(path, { method, headers, ...(data === undefined ? {} : { data }) })
  expect(answer.ok(), `${method} ${path}`).toBe(true)
  return (await answer.json()) as A
}

interface Invited {
  readonly id: string
  readonly invitation: { readonly token: string }
}

inChromium("entering", () => {
  const started = startedEmpty()

  it("leads from the address that the server prints to a set-up organization, an invitation, another password, and its sessions", async () => {
    const { visitor, logs } = started()
    const owner = await visitor()
    const printed = await comesAbout("the server prints the address", () =>
      logs.map((line) => /http\S+\/setup#[\w-]+/.exec(line)?.[0]).find((address) => address !== undefined)
    )
    // Whoever comes without the address is led to the page, and asked for the token.
    await owner.page.goto("/")
    await owner.page.getByRole("heading", { name: "Set up Parley" }).waitFor()
    await owner.page.getByLabel("Token").waitFor()
    await owner.page.goto("about:blank")
    await owner.page.goto(printed.slice(printed.indexOf("/setup")))
    await owner.page.getByLabel("Name of the organization").fill("Maple Books")
    await owner.page.getByLabel("Time zone").selectOption("Asia/Kolkata")
    await owner.page.getByLabel("Your name").fill("Mia Chen")
    await owner.page.getByLabel("E-mail").fill("mia@maplebooks.example")
    await owner.page.getByLabel("Password", { exact: true }).fill("maplebooks1")
    await owner.page.getByRole("button", { name: "Set up and sign in" }).click()
    // What the service says stands at the field that it is about.
    const password = owner.page.getByLabel("Password", { exact: true })
    await comesAbout("the password is refused", async () => (await password.getAttribute("aria-invalid")) === "true")
    expect(owner.watched.take()).toEqual(["POST /api/setup was answered with 400"])
    await password.fill(passwords.owner)
    await owner.page.getByRole("button", { name: "Set up and sign in" }).click()
    await entered(owner.page)
    expect(owner.page.url()).not.toContain("set_")
    const today = owner.page.getByRole("region", { name: /^Today/ })
    await today.waitFor()
    expect(await today.getByRole("img", { name: "14 periods: at most 0, the last one 0" }).count()).toBe(4)
    const late = await visitor()
    await late.page.goto("/setup")
    await late.page.getByText("There is an organization already.").waitFor()

    // A colleague is invited, and signed in with the password that they choose.
    const { id, invitation } = await asPerson<Invited>(owner, "POST", "/api/users", {
      ...{ email: "ben@maplebooks.example", name: "Ben Ortiz", role: "AGENT" }
    })
    const ben = await visitor()
    await ben.page.goto(`/invite#${invitation.token}`)
    await ben.page.getByLabel("New password").fill(passwords.invited)
    await ben.page.getByRole("button", { name: "Keep the password and sign in" }).click()
    await entered(ben.page)
    const again = await visitor()
    await again.page.goto(`/invite#${invitation.token}`)
    await again.page.getByLabel("New password").fill(passwords.invited)
    await again.page.getByRole("button", { name: "Keep the password and sign in" }).click()
    await again.page.getByRole("alert").getByText("not good any more").waitFor()
    expect(again.watched.take()).toEqual(["POST /api/users/accept-invitation was answered with 401"])

    // He has lost the password: the page says whom to ask, and the owner's link lets him choose another.
    const lost = await visitor()
    await lost.page.goto("/sign-in")
    await lost.page.getByRole("link", { name: "Forgot your password?" }).click()
    await lost.page.getByText("Ask an owner or admin").waitFor()
    const { token } = await asPerson<Invited["invitation"]>(owner, "POST", `/api/users/${id}/invitation`)
    await lost.page.goto("about:blank")
    await lost.page.goto(`/reset#${token}`)
    await lost.page.getByLabel("New password").fill(passwords.reset)
    await lost.page.getByRole("button", { name: "Keep the password and sign in" }).click()
    await entered(lost.page)

    // His first browser is signed out by that, keeps its page, and goes on with the new password.
    await ben.page.goto("/contacts")
    await ben.page.waitForURL(/sign-in\?next=/)
    await ben.page.getByLabel("E-mail").fill("ben@maplebooks.example")
    await ben.page.getByLabel("Password").fill(passwords.reset)
    await ben.page.getByRole("button", { name: "Sign in" }).click()
    await ben.page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()

    // He sees both sessions, ends the other one, changes name and password, and works on.
    await ben.page.goto("/you")
    await settled(ben.page)
    const sessions = ben.page.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem")
    expect(await sessions.count()).toBe(2)
    await sessions.getByRole("button", { name: "End the session" }).click()
    await comesAbout("the other session is over", async () => {
      const answer = await lost.page.request.get("/api/session")
      return answer.status() === 401
    })
    expect(await sessions.count()).toBe(1)
    await ben.page.getByRole("textbox", { name: "Your name" }).fill("Benjamin Ortiz")
    await ben.page.getByRole("button", { name: "Change the name" }).click()
    await ben.page.getByRole("navigation").getByText("Benjamin Ortiz").waitFor()
    await ben.page.getByLabel("Password now").fill("not the right one")
    await ben.page.getByLabel("New password").fill(passwords.changed)
    await ben.page.getByRole("button", { name: "Change the password" }).click()
    await ben.page.getByText("The old password is wrong.").waitFor()
    await ben.page.getByLabel("Password now").fill(passwords.reset)
    await ben.page.getByRole("button", { name: "Change the password" }).click()
    await ben.page.getByText("Your password was changed.").waitFor()
    await ben.page.goto("/contacts")
    await ben.page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
    expect(ben.watched.take().filter((problem) => !/401$|password was answered with 403$/.test(problem))).toEqual([])
    lost.watched.take()

    // The new password is the one that counts.
    const fresh = await visitor()
    await signIn(fresh, "ben@maplebooks.example", passwords.changed)
    await entered(fresh.page)
  })
})

/** What is true of every page: nobody is refused there, everybody can read and use it, and nothing that others have written breaks it. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { addresses, entryPages, operatorAddresses } from "./Addresses.ts"
import { type Dashboard, type Role, startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { type BrowserOptions, goInside, settled } from "./Seats.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds by the rules of WCAG 2.2 A and AA, one line each. `only`: the rules; all when not given. */
const findings = async (page: Page, only?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
  const options = {
    resultTypes: ["violations"],
    runOnly: only === undefined ? { type: "tag", values: tags } : { type: "rule", values: only }
  }
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + ": " + failureSummary)))`
  )
}

/** Whether something is wider than the window. */
const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth")

/** Opens an address with a new document. */
const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await settled(page)
}

/** How somebody comes to a page. Each page is opened by its address in one of the looks; within the document it costs a quarter. */
type Go = (page: Page, address: string) => Promise<void>

/** Takes the people who may see them to all pages, in one look; gives what `look` finds there, with the address. */
const lookAtAll = async (
  dashboard: Dashboard,
  options: BrowserOptions,
  go: Go,
  look: (page: Page) => Promise<ReadonlyArray<string>>
): Promise<ReadonlyArray<string>> => {
  const { page } = await dashboard.signIn("owner", "/you", options)
  const { page: operator } = await dashboard.signInOperator("/operator", options)
  const { page: signedOut } = await dashboard.visitor(options)
  const found: Array<string> = []
  const lookAt = async (shown: Page, address: string, go: Go) => {
    const seen = await go(shown, address).then(
      () => look(shown),
      (cause: unknown) => [String(cause)]
    )
    found.push(...seen.map((one) => `${address}: ${one}`))
  }
  for (const address of await addresses(dashboard)) await lookAt(page, address, go)
  for (const address of operatorAddresses(dashboard.tenant.organizationId)) await lookAt(operator, address, go)
  // Nobody goes from one of these to the next: each is opened from elsewhere.
  for (const address of entryPages) await lookAt(signedOut, address, open)
  return found
}

inChromium("every page", () => {
  // One person visits all pages within a minute.
  const started = startedDashboard({ settings: { requestsPerMinute: 0 } })

  it.each<Role>([
    "owner",
    "admin",
    "agent"
  ])("that the navigation shows to an %s asks for nothing that is refused", async (role) => {
    const dashboard = started()
    const refused: Array<string> = []
    const { page, watched } = await dashboard.signIn(role, "/you")
    const shown = (await page.evaluate(
      "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)"
    )) as ReadonlyArray<string>
    const places = [...new Set(shown)]
    expect(places).toContain("/inbox")
    const within = (await addresses(dashboard)).filter((address) =>
      places.some((place) => address.startsWith(`${place}/`) || address.startsWith(`${place}?`))
    )
    for (const address of [...places, ...within]) {
      await goInside(page, address).catch((cause: unknown) => refused.push(String(cause)))
      refused.push(...watched.take().map((problem) => `${address}: ${problem}`))
    }
    expect(refused).toEqual([])
  })

  // Hindi is where little room is. What depends on the width alone is the same in English: names, roles and colours are.
  it.each([
    { language: "en", width: 1440, go: open },
    { language: "hi", width: 390, go: goInside }
  ] as const)("can be read and used by everybody, in both themes, at $width px ($language)", {
    timeout: 600_000
  }, async ({ language, width, go }) => {
    const found = await lookAtAll(started(), { width, language, theme: "light", scripts: [axe] }, go, async (page) => {
      const light = await findings(page)
      const sideways = (await scrollsSideways(page)) ? ["scrolls sideways"] : []
      // Of all rules only this one depends on the theme.
      await page.evaluate("document.documentElement.dataset.theme = 'dark'")
      const dark = await findings(page, ["color-contrast"])
      await page.evaluate("document.documentElement.dataset.theme = 'light'")
      return [...light, ...sideways, ...dark.map((finding) => `dark: ${finding}`)]
    })
    expect(found).toEqual([])
  })

  it("is no wider than a telephone in English, either", async () => {
    const found = await lookAtAll(started(), { width: 390, language: "en" }, goInside, async (page) =>
      (await scrollsSideways(page)) ? ["scrolls sideways"] : []
    )
    expect(found).toEqual([])
  })

  it("holds its layout and runs nothing, whatever names and messages contain", async () => {
    const dashboard = started()
    const markup = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>"><svg onload=alert(1)>{{7*7}}`
    const hostile = dashboard.somebody(`${markup}\u202Eevil\u202C${"W".repeat(60)}`)
    const chat = await dashboard.write(
      hostile,
      markup,
      `\u202Egnissapmocne\u202C \u2066isolated javascript:alert(1) https://example.com/"onmouseover="alert(1)`,
      "\u{1F389}".repeat(4_096),
      "x".repeat(4_096),
      "Z\u0351\u036B\u0343".repeat(400)
    )
    await dashboard.ask("PATCH", `/api/messaging-api/contacts/${chat.contact.id}`, { tags: [markup.slice(0, 60)] })
    await dashboard.ask("POST", `/api/messaging-api/chats/${chat.id}/notes`, { text: markup })
    for (const width of [1440, 390] as const) {
      const { page } = await dashboard.signIn("owner", `/inbox?c=${chat.id}`, { width })
      for (const address of [`/inbox?c=${chat.id}`, "/inbox", "/contacts", `/contacts/${chat.contact.id}`]) {
        await page.goto(address)
        await settled(page)
        expect(await scrollsSideways(page), `${address} at ${width} scrolls sideways`).toBe(false)
        expect(await page.evaluate("window.ran"), address).toBeUndefined()
      }
      await page.goto(`/inbox?c=${chat.id}`)
      const resolve = await page.getByRole("button", { name: "Resolve", exact: true }).boundingBox()
      expect(resolve !== null && resolve.x >= 0 && resolve.x + resolve.width <= width, "Resolve can be pressed").toBe(
        true
      )
      expect(await page.getByText("javascript:alert(1)").locator("a[href^=javascript]").count()).toBe(0)
    }
  })
})

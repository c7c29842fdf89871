/**
 * `npm run pictures`: pictures of every page from the demo's data, at 1440 and 390 px, in English, Hindi and the pseudo-locale, in `web/pictures`; and those of
 * the README in `docs/pictures`. With words as arguments only the pages whose addresses contain one of them; `readme`: only those of the README.
 */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, References } from "effect"
import sharp from "sharp"
import { speaks } from "../src/cli/demo/converse.ts"
import { lines } from "../src/cli/demo/dialogue.ts"
import { furnish } from "../src/cli/demo/living.ts"
import { setStage } from "../src/cli/demo/stage.ts"
import { ask } from "../src/cli/demo/support/rest.ts"
import { until } from "../src/cli/demo/support/until.ts"
import * as Config from "../src/config/Config.ts"
import { operatorHeaders } from "../test/support/operators.ts"
import { addresses, entryPages, exampleConversation, operatorAddresses } from "../test/web/browser/Addresses.ts"
import { openSeats, sessionCookie, settled } from "../test/web/browser/Seats.ts"

const root = join(import.meta.dirname, "..")
const folder = join(import.meta.dirname, "pictures")
const readmeFolder = join(root, "docs/pictures")

/** A picture in the README is small: it is a part of each clone. */
const mostBytesInReadme = 150 * 1_024
const keepSmall = async (png: Buffer, path: string) => {
  const { size } = await sharp(png).resize({ width: 1_200 }).webp({ quality: 82, effort: 6 }).toFile(path)
  if (size > mostBytesInReadme)
    throw new Error(`${path} has ${size} bytes: more than a picture in the README may have.`)
}

/** The pages that the README shows. */
const inReadme = (conversationId: string, callId: string, agentId: string) =>
  [
    ["inbox", `/inbox?c=${conversationId}`, "light"],
    ["call", `/calls/${callId}?t=8.5`, "dark"],
    ["agent", `/agents/${agentId}/voice`, "light"],
    ["contacts", "/contacts?sort=-lastSeenAt", "dark"]
  ] as const

const nameOf = (address: string) =>
  address
    .replace(/[?#].*$/, (rest) => (rest.startsWith("?") ? "-open" : ""))
    .replace(/_[0-9A-Z]{26}/, "")
    .replaceAll("/", "-")
    .replace(/^-?/, "") || "start"

const takePictures = Effect.fn("pictures")(function* (words: ReadonlyArray<string>) {
  const seats = yield* openSeats()
  // One person looks at more pages a minute than a person may.
  const stage = yield* setStage({ ...(yield* Config.load), requestsPerMinute: 0 }, lines)
  const { baseUrl, world, tenant } = stage
  seats.start(baseUrl)
  console.log("Furnishing the organization, and answering a call …")
  const people = yield* furnish({ baseUrl, organizationId: tenant.organizationId, channel: world.channel }).pipe(
    Effect.provide(stage.services)
  )
  const access = { baseUrl, key: tenant.key }
  yield* ask(access, "PUT", `/api/voice-agents/${tenant.agentId}`, { recording: true })
  yield* stage.call(speaks(stage, ["hours", "order", "thanks"]), "+14155550101")
  const callId = yield* until(
    "The call was not recorded",
    60,
    Effect.map(ask(access, "GET", "/api/calls?limit=1"), ({ data }) => {
      const [call] = data as ReadonlyArray<{ readonly id: string; readonly recording: object | null }>
      return call === undefined || call.recording === null ? undefined : call.id
    })
  )
  const given = {
    callId,
    agentId: tenant.agentId,
    ask: async <A>(method: "GET" | "POST", path: string, body?: object): Promise<A> => {
      const answer: unknown = await Effect.runPromise(ask(access, method, path, body))
      return answer as A
    }
  }
  yield* Effect.promise(async () => {
    rmSync(folder, { recursive: true, force: true })
    for (const made of [folder, readmeFolder]) mkdirSync(made, { recursive: true })
    const cookie = await sessionCookie(baseUrl, people.owner)
    if (words.length === 0 || words.includes("readme")) {
      for (const [name, address, theme] of inReadme(await exampleConversation(given), callId, tenant.agentId)) {
        const { page } = await seats.visitor({ theme, cookie })
        await page.goto(address)
        await settled(page)
        await keepSmall(await page.screenshot(), join(readmeFolder, `${name}.webp`))
      }
      await seats.closeSeats()
    }
    const ofOperators = operatorAddresses(tenant.organizationId)
    const headers = await operatorHeaders({
      base: baseUrl,
      run: (effect) => Effect.runPromise(Effect.provide(effect, stage.services))
    })
    const [name, value] = headers.cookie.split("=")
    const operatorCookie = { name, value, domain: new URL(baseUrl).hostname, path: "/api/operator" }
    const chosen = [...entryPages, ...(await addresses(given)), ...ofOperators].filter(
      (address) => words.length === 0 || words.some((word) => address.includes(word))
    )
    for (const language of ["en", "hi", "pseudo"] as const)
      for (const width of [1440, 390] as const) {
        const signedIn = await seats.visitor({ width, language, theme: "light", cookie })
        const signedOut = await seats.visitor({ width, language, theme: "light" })
        const operator = await seats.visitor({ width, language, theme: "light" })
        await operator.context.addCookies([operatorCookie])
        for (const address of chosen) {
          const seat = entryPages.includes(address) ? signedOut : ofOperators.includes(address) ? operator : signedIn
          const { page } = seat
          await page.goto(address)
          await settled(page)
          await page.screenshot({ path: join(folder, `${nameOf(address)}-${width}-${language}.png`) })
        }
        await seats.closeSeats()
      }
  })
  console.log(`The pictures are in ${folder}.`)
})

await Effect.runPromise(
  takePictures(process.argv.slice(2)).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Warn"))
)
process.exit(0)

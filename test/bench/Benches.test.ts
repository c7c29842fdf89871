/** The command line of the benches: what is asked for wrongly is refused before anything is started. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { stepsOf } from "../../bench/calls.ts"
import { wantedOf } from "../../bench/features.ts"
import { checkRecipients, recipientOf } from "../../bench/http.ts"
import { contactsFor } from "../../bench/sends.ts"
import { benches, runNamed } from "../../bench/support/Benches.ts"
import { OptionsInvalid, usageOf } from "../../bench/support/Options.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const main = resolve(import.meta.dirname, "../../bench/main.ts")
const documents = readFileSync(resolve(import.meta.dirname, "../../docs/benchmarks.md"), "utf8")

const run = async (...argv: ReadonlyArray<string>) => {
  const [said, complained] = [vi.spyOn(console, "log"), vi.spyOn(console, "error")]
  for (const spy of [said, complained]) spy.mockImplementation(() => undefined)
  const code = await runNamed(argv)
  const textOf = ({ mock }: typeof said) => mock.calls.flat().join("\n")
  return { code, said: textOf(said), complained: textOf(complained) }
}

afterEach(() => vi.restoreAllMocks())

describe("the benches' command", () => {
  it.each([[[]], [["--help"]]])("lists them: %j", async (argv) => {
    const { code, said } = await run(...argv)
    expect(code).toBe(0)
    for (const [name, { about }] of Object.entries(benches)) expect(said).toContain(`${name.padEnd(10)} ${about}`)
  })

  it.each(["nonsense", "constructor", "__proto__"])("refuses a name that no bench has: %s", async (name) => {
    const { code, complained } = await run(name)
    expect(code).toBe(2)
    expect(complained).toContain(`there is no bench "${name}"`)
  })

  it.each(Object.keys(benches))("tells what %s takes, as docs/benchmarks.md does", async (name) => {
    const { taken } = await benches[name].load()
    const { code, said } = await run(name, "--calls", "many", "--help")
    expect(code).toBe(0)
    expect(said).toContain(`npm run bench -- ${usageOf(name, taken)} [--json]`)
    expect(documents.split("\n")).toContain(usageOf(name, taken))
  })

  it("explains each option, with what it means on this bench", async () => {
    expect((await run("sends", "--help")).said.split("\n").slice(0, 7)).toEqual([
      "npm run bench -- sends [--seconds 20] [--calls 32] [--json]",
      "",
      benches.sends.about,
      "",
      "  --seconds N  how long to measure, with none queued and with a million",
      "  --calls N    clients, each with one request at a time",
      "  --json       one JSON object on standard output instead of tables"
    ])
  })

  it.each([
    ["features nonsense", 'there is no "nonsense" among: conversations, silent line'],
    ["dialogues nonsense", 'there is no "nonsense" among: '],
    ["dialogues numbers nonsense", 'there is no "nonsense" among: '],
    ["figures nonsense", 'there is no "nonsense" among: '],
    ["figures --nonsense", "--nonsense"],
    ["calls 100 nonsense", "steps are numbers of calls"],
    ["calls --search --calls 5000", "--search goes no higher than 4000 calls"],
    ["calls 100 250 --search", "--search finds the numbers of calls by itself"],
    ["calls --workers 2 --pin", "--pin would put all workers on one processor"],
    ["turn 100 200", "turns are a number of at least 8"],
    ["http --contacts 1000 --messages 10000", "are more than the 20 that each may get in an hour"],
    ["flame", "usage: npm run bench -- flame PROFILE.cpuprofile OUT.svg"]
  ])("refuses `%s` with a sentence, and starts nothing", async (command, sentence) => {
    const began = performance.now()
    const { code, complained } = await run(...command.split(" "))
    expect(complained).toContain(sentence)
    expect(code).toBe(2)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it("ends when it is interrupted, whatever its callers still do", async () => {
    const child = spawn(process.execPath, [main, "turn", "100000", "--calls", "1"], {
      stdio: ["ignore", "ignore", "pipe"]
    })
    const ended = once(child, "exit")
    // It is measured some time after it has said so.
    await once(child.stderr, "data")
    await new Promise((done) => setTimeout(done, 4_000))
    child.kill("SIGINT")
    const [code] = await Promise.race([
      ended,
      new Promise<[string]>((late) => setTimeout(() => late(["late"]), 60_000))
    ])
    child.kill("SIGKILL")
    expect(code).toBe(130)
  })
})

describe("words of a bench", () => {
  it("choose features and the ones they are compared with", () => {
    const names = (...words: ReadonlyArray<string>) => wantedOf(words).map(({ name }) => name)
    expect(names("recording")).toEqual(["conversations", "recording"])
    expect(names("silent")).toEqual(["silent line (frames, voice activity)"])
    expect(names("fillers", "conversations")).toEqual(["conversations", "fillers"])
    expect(names()).toHaveLength(9)
  })

  it("give each service a log with a name of its own", () => {
    const logs = wantedOf([]).map(({ log }) => log)
    expect(new Set(logs).size).toBe(logs.length)
  })

  it("are steps of calls, in ascending order, unless the bench searches for a limit", () => {
    expect(stepsOf(["250", "100"], 50, false)).toEqual([100, 250])
    expect(stepsOf([], 50, false)).toEqual([50])
    expect(stepsOf([], 4_000, true)).toEqual([4_000])
    expect(() => stepsOf([], 4_001, true)).toThrow(OptionsInvalid)
  })
})

describe("recipients of a bench", () => {
  const sizes = { contacts: 1_000, messages: 5_000 }

  it("of `http` cover all open conversations, half of them for each server, before one gets a second message", () => {
    const numbers = ([0, 1] as const).flatMap((which) =>
      Array.from({ length: 50 }, (_, n) => recipientOf(which, n, sizes))
    )
    expect(new Set(numbers).size).toBe(100)
    expect(recipientOf(1, 50, sizes)).toBe(recipientOf(1, 0, sizes))
  })

  it("of `http` suffice for the messages, or the options are refused", () => {
    expect(() => checkRecipients({ ...sizes, rate: 40, seconds: 10 })).not.toThrow()
    expect(() => checkRecipients({ ...sizes, rate: 40, seconds: 11 })).toThrow(OptionsInvalid)
    expect(() => checkRecipients({ contacts: 5, messages: 5, rate: 1, seconds: 1 })).toThrow(OptionsInvalid)
  })

  it("of `sends` increase with the length of the run", () => {
    expect(contactsFor(1)).toBe(20_000)
    expect(contactsFor(20)).toBe(20_000)
    expect(contactsFor(195)).toBe(160_000)
  })
})

/** The languages of the dashboard: every message is translated, and fits the values that it is given. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allMessages, messagesIn } from "../../web/build/messages.ts"
import { parsePo, writePo } from "../../web/build/po.ts"
import { pseudo } from "../../web/build/pseudo.ts"

const file = readFileSync(join(import.meta.dirname, "../../web/i18n/hi.po"), "utf8")
const hindi = parsePo(file)
const english = [...allMessages()]

/** The names of values in a message. */
const valuesOf = (text: string) =>
  [...new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name))]
    .filter((name) => !/^(one|other)$/.test(name))
    .toSorted()

describe("the Hindi catalog", () => {
  it("translates every message, and holds no others", () => {
    expect(english.length).toBeGreaterThan(100)
    expect(english.filter((id) => (hindi.get(id) ?? "") === "")).toEqual([])
    expect([...hindi.keys()].filter((id) => !english.includes(id))).toEqual([])
  })
  it("uses the values of the English messages", () => {
    const wrong = english.filter((id) => {
      const [asked, given] = [valuesOf(id), valuesOf(hindi.get(id) ?? "")]
      return given.some((name) => !asked.includes(name)) || asked.some((name) => !given.includes(name))
    })
    expect(wrong).toEqual([])
  })
  it("can be compiled, also in the pseudo-locale", () => {
    for (const id of english) {
      expect(() => compileMessage(hindi.get(id) ?? ""), id).not.toThrow()
      expect(valuesOf(pseudo(id)).join(), id).toBe(valuesOf(id).join())
    }
  })
  it("is written as it is sorted, so that two changes do not meet", () => {
    expect(file).toBe(writePo("hi", hindi))
  })
})

describe("a catalog", () => {
  it("reads what it wrote, whatever the messages contain", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (given) => {
        const catalog = new Map(Object.entries(given))
        expect(new Map([...parsePo(writePo("xx", catalog))].toSorted())).toEqual(new Map([...catalog].toSorted()))
      })
    )
  })
  it("is taken from calls of t and message, and from nothing else", () => {
    const source = `t("One"); const a = message("Two {n}"); client.t("no"); start("no"); t(entry); t("a \\"quoted\\" one")`
    expect(messagesIn(source)).toEqual(["One", "Two {n}", 'a "quoted" one'])
  })
})

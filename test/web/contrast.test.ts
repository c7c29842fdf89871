/** The colours of the dashboard can be read: every pair that is used has the contrast that WCAG 2.2 asks for, in both themes. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const css = readFileSync(join(import.meta.dirname, "../../web/src/styles/tokens.css"), "utf8")

const tokensOf = (selector: string): Readonly<Record<string, string>> => {
  const [, block] = css.split(`${selector} {`)
  const body = block.slice(0, block.indexOf("}"))
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]))
}

const themes = { light: tokensOf(":root"), dark: tokensOf(':root[data-theme="dark"]') }

const channel = (byte: number): number => {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const luminance = (hex: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16)))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
/** By the formula of WCAG 2.2. */
const contrast = (one: string, other: string): number => {
  const [bright, dim] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

const grounds = ["bg", "surface", "raised", "hover", "selected"]
const texts = [
  ...["ink", "ink-2", "ink-3"].flatMap((text) => grounds.map((ground) => [text, ground])),
  ...["ink", "ink-2"].map((text) => [text, "sunken"]),
  ...["accent", "danger"].flatMap((text) => [
    [text, "surface"],
    [text, "bg"]
  ]),
  ...["ai", "contact", "danger", "warn", "good", "accent"].map((text) => [text, `${text}-soft`]),
  ...["ai", "contact"].map((text) => [text, "surface"]),
  ...["ai", "contact", "accent", "warn"].map((soft) => ["ink", `${soft}-soft`]),
  ...["ai", "contact", "accent", "warn"].map((soft) => ["ink-2", `${soft}-soft`]),
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger"]
]
const graphics = [
  ["line-strong", "surface"],
  ["line-strong", "bg"],
  ...["accent", "danger", "warn", "good", "ai", "contact"].map((one) => [one, "surface"]),
  ...[1, 2, 3, 4, 5].map((stage) => [`stage-${stage}`, "surface"]),
  ["accent", "selected"]
]

describe.each(Object.entries(themes))("in the %s theme,", (_, tokens) => {
  it.each(texts)("the text %s can be read on %s: 4.5 to 1", (text, ground) => {
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5)
  })
  it.each(graphics)("the graphic %s is seen on %s: 3 to 1", (graphic, ground) => {
    expect(contrast(tokens[graphic], tokens[ground])).toBeGreaterThanOrEqual(3)
  })
})

describe("the formula", () => {
  it("gives 21 for black on white, and 1 for a colour on itself", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5)
    expect(contrast("#0b6b58", "#0b6b58")).toBe(1)
  })
  it("has all colours of both themes before it", () => {
    expect(Object.keys(themes.light).toSorted()).toEqual(Object.keys(themes.dark).toSorted())
    expect(Object.keys(themes.light).length).toBeGreaterThan(30)
  })
})

/**
 * Vectors of texts without a model: each word has a direction of its own, made from its letters, and words that mean the same share one, also in other
 * languages. The vector of a text is the sum of its words'. It is the same in every process.
 */
import { createHash } from "node:crypto"

/** Beginnings of words that mean the same. English, Spanish, Hindi. */
const meanings = [
  "return refund bring_back give_back devol reembols लौटा वापस",
  "deliver ship parcel send envío envia entreg repart डिलीवरी भेज पार्सल",
  "price cost charge fee much cuest preci import gasto शुल्क कीमत दाम कितने_का",
  "open hour closed close horario abre abier cerrad खुल बंद समय बजे",
  "free gratis gratuit मुफ़्त मुफ्त",
  "book libro किताब पुस्तक",
  "pay payment paid pago paga cobr भुगतान नकद",
  "member membership socio सदस्य",
  "discount percent reduction descuent rebaja छूट",
  "gift present regalo उपहार तोहफ",
  "repair mend fix broken repar arregl roto मरम्मत फट",
  "shop store tienda दुकान",
  "guarantee warranty garantía garanti गारंटी वारंटी",
  "job work vacancy position career employ emple trabaj नौकरी काम",
  "dog pet animal perro mascot कुत्त जानवर",
  "park car garage aparc coche पार्क गाड़ी",
  "wheelchair disab lift elevator discapac silla व्हीलचेयर विकलांग",
  "child kid niñ बच्च",
  "order pedido ऑर्डर",
  "phone telephone call teléfono llam फ़ोन फोन",
  "day días दिन",
  "week semana सप्ताह हफ़्त",
  "sunday domingo रविवार इतवार",
  "card tarjeta कार्ड",
  "abroad foreign overseas extranjer विदेश",
  "lost missing perdid खो"
].map((line) => line.split(" "))

/** Words that say little by themselves count little. */
const little = new Set(
  "a an the of to in on at for is are do does i my me you your it we us can how what when where which with and or el la los las de del en un una por para que es se lo mi su y cómo qué cuál cuándo का की के में से है हैं क्या कब को पर और मैं".split(
    " "
  )
)

/** A direction made from a name: the same for the same name. */
const directionOf = (name: string, dimensions: number): Float32Array => {
  const direction = new Float32Array(dimensions)
  for (let at = 0, block = 0; at < dimensions; block++) {
    const bytes = createHash("sha512").update(`${block} ${name}`).digest()
    // The sum of four bytes is nearly normally distributed.
    for (let byte = 0; byte + 4 <= bytes.length && at < dimensions; byte += 4, at++)
      direction[at] = bytes[byte] + bytes[byte + 1] + bytes[byte + 2] + bytes[byte + 3] - 510
  }
  return direction
}

/** What a word means: a shared meaning, or its own first letters. */
const meaningOf = (word: string): string => {
  const shared = meanings.findIndex((all) => all.some((begin) => word.startsWith(begin)))
  return shared >= 0 ? `meaning ${shared}` : [...word].slice(0, 5).join("")
}

const remembered = new Map<string, Float32Array>()
const mostRemembered = 5_000

const remember = (name: string, dimensions: number): Float32Array => {
  const key = `${dimensions} ${name}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const made = directionOf(name, dimensions)
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, made)
  return made
}

/** The vector of a text, of length 1. */
export const vectorOf = (text: string, dimensions: number): Float32Array => {
  const sum = new Float32Array(dimensions)
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["nothing"]
  const counted = new Map<string, number>()
  for (const word of words) {
    const meaning = meaningOf(word)
    // The second time a meaning comes it says less that is new.
    const before = counted.get(meaning) ?? 0
    counted.set(meaning, before + 1)
    const weight = (little.has(word) ? 0.15 : 1) / (1 + before)
    const direction = remember(meaning, dimensions)
    for (let at = 0; at < dimensions; at++) sum[at] += weight * direction[at]
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0))
  return sum.map((value) => value / length)
}

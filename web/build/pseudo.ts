/** The pseudo-locale: English that is longer and accented, to see at once what is not translated and what has no room. */

const accents: Readonly<Record<string, string>> = {
  ...{ a: "á", c: "ç", e: "é", i: "í", n: "ñ", o: "ö", u: "ü", y: "ý", s: "š", r: "ř" },
  ...{ A: "Å", C: "Ç", E: "É", I: "Î", N: "Ñ", O: "Ö", U: "Û", S: "Š", R: "Ř" }
}

/** Texts grow by so much. */
const growth = 0.6

/** Leaves what is in braces as it is: names of values, and the keywords of plurals. */
export const pseudo = (text: string): string => {
  let depth = 0
  let shown = 0
  const written = [...text].map((sign) => {
    if (sign === "{") depth++
    if (sign === "}") depth--
    if (depth > 0 || sign === "}") return sign
    shown++
    return accents[sign] ?? sign
  })
  return `[${written.join("")}${"·".repeat(Math.ceil(shown * growth))}]`
}

/** When calls begin. */
import { OptionsInvalid } from "../support/Options.ts"

/** `steady`: evenly. `poisson`: independent of each other, as telephone calls come. `burst`: ten at once. */
export const arrivalKinds = ["steady", "poisson", "burst"] as const
export type ArrivalKind = (typeof arrivalKinds)[number]

const burstSize = 10

export const arrivalKindOf = (text: string | undefined): ArrivalKind => {
  const found = text === undefined ? "steady" : arrivalKinds.find((kind) => kind === text)
  if (found === undefined) throw new OptionsInvalid(`--arrivals must be ${arrivalKinds.join(", ")}, not "${text}"`)
  return found
}

/** Milliseconds from one call to the next, at `perSecond` calls a second on average. `random` gives numbers from 0 to below 1. */
export const makeGaps = (kind: ArrivalKind, perSecond: number, random: () => number): (() => number) => {
  const meanMs = 1_000 / perSecond
  let count = 0
  switch (kind) {
    case "steady":
      return () => meanMs
    case "poisson":
      return () => -Math.log(1 - random()) * meanMs
    case "burst":
      return () => (++count % burstSize === 0 ? meanMs * burstSize : 0)
  }
}

/** Lengths of calls, milliseconds, `meanSeconds` on average: most are short, some long, as telephone calls are, none below a quarter or over four times. */
export const makeLengths = (meanSeconds: number, random: () => number): (() => number) => {
  const [least, most] = [meanSeconds / 4, meanSeconds * 4]
  return () => Math.min(most, least - Math.log(1 - random()) * (meanSeconds - least)) * 1_000
}

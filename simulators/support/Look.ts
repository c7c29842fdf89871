/** What a simulated model sees in a picture: it decodes the picture, and names its size and its colour. */
import sharp from "sharp"

const colours = {
  red: [220, 40, 40],
  green: [40, 170, 60],
  blue: [40, 70, 210],
  yellow: [240, 220, 50],
  white: [250, 250, 250],
  black: [10, 10, 10]
} as const

export interface Sight {
  readonly width: number
  readonly height: number
  readonly colour: keyof typeof colours
}

const nearest = (red: number, green: number, blue: number): Sight["colour"] => {
  const distance = (name: Sight["colour"]) => {
    const [r, g, b] = colours[name]
    return (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
  }
  const names = Object.keys(colours) as Array<Sight["colour"]>
  return names.reduce((best, name) => (distance(name) < distance(best) ? name : best))
}

/** `undefined`: the address holds no picture that can be decoded. */
export const look = async (url: string): Promise<Sight | undefined> => {
  const base64 = /^data:image\/(?:jpeg|png|webp|gif);base64,([A-Za-z0-9+/]+=*)$/.exec(url)?.[1]
  if (base64 === undefined) return undefined
  const bytes = Buffer.from(base64, "base64")
  try {
    const { width, height } = await sharp(bytes).metadata()
    const [red, green, blue] = await sharp(bytes).removeAlpha().resize(1, 1).toColourspace("srgb").raw().toBuffer()
    return { width, height, colour: nearest(red, green, blue) }
  } catch {
    return undefined
  }
}

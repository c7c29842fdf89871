/** A simulated model that says whether a text is finished, with given rates of errors. */
import { createHash } from "node:crypto"

export interface Judge {
  /** How it is called in the tables. */
  readonly name: string
  /** Shares of texts that it judges right. */
  readonly unfinishedRight: number
  readonly finishedRight: number
}

export const goodJudge: Judge = { name: "87 / 99 %", unfinishedRight: 0.87, finishedRight: 0.99 }
export const weakJudge: Judge = { name: "70 / 90 %", unfinishedRight: 0.7, finishedRight: 0.9 }

/** In [0, 1), the same for the same text. */
const drawn = (judge: Judge, text: string): number =>
  createHash("sha256").update(`${judge.name} ${text}`).digest().readUInt32LE(0) / 2 ** 32

/** Whether it calls a text finished. `isAll`: it is. */
export const callsFinished = (judge: Judge, text: string, isAll: boolean): boolean => {
  const right = drawn(judge, text) < (isAll ? judge.finishedRight : judge.unfinishedRight)
  return right === isAll
}

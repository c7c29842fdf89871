/** The records of a list, at most so many of the first, however many pages they are on. */
export const firstOf = async <A>(
  list: AsyncIterable<A>,
  most = Number.POSITIVE_INFINITY
): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const one of list) {
    found.push(one)
    if (found.length >= most) break
  }
  return found
}

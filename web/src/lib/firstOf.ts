/** The first records of a list, at most so many, however many pages they are on. */
export const firstOf = async <A>(list: AsyncIterable<A>, most: number): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const one of list) {
    found.push(one)
    if (found.length >= most) break
  }
  return found
}

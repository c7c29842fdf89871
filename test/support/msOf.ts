/** The shortest of five runs, in milliseconds: for comparing the work of two inputs, not for a limit. */
export const msOf = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const began = performance.now()
      run()
      return performance.now() - began
    })
  )

/** Reads the error codes of failed file system calls. */

/** Whether `cause` is a system error with one of these codes, such as `ENOENT`. */
export const hasCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  cause instanceof Error && "code" in cause && codes.some((code) => code === cause.code)

/** For `catch` of a promise: turns a failure with this code into `undefined`; any other stays a failure. */
export const undefinedIf =
  (code: string) =>
  (cause: unknown): undefined => {
    if (!hasCode(cause, code)) throw cause
  }

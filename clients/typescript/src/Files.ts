/** Files that are sent and received. */

/** A file to be sent. A `File` brings its name. A stream is read to its end first, so that it can be sent again. */
export type FileInput = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array<ArrayBuffer>> | string

/** The content of a file as something that can be sent more than once. */
export const toBlob = async (file: FileInput): Promise<Blob> => {
  if (file instanceof Blob) return file
  return file instanceof ReadableStream ? new Response(file).blob() : new Blob([file])
}

/** A file that was received. Its content can be read once, in one of three ways. */
export interface ReceivedFile {
  readonly contentType: string
  /** In bytes, if the service says so. */
  readonly sizeBytes: number | undefined
  readonly filename: string | undefined
  /** The content as it comes. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly blob: () => Promise<Blob>
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

const filenameOf = (disposition: string): string | undefined => {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1")
}

export const receivedFile = (response: Response): ReceivedFile => {
  const size = response.headers.get("content-length")
  return {
    contentType: response.headers.get("content-type") ?? "application/octet-stream",
    // A compressed answer has the length of what was sent.
    sizeBytes: size === null || response.headers.has("content-encoding") ? undefined : Number(size),
    filename: filenameOf(response.headers.get("content-disposition") ?? ""),
    get stream() {
      return response.body ?? new Blob([]).stream()
    },
    blob: () => response.blob(),
    bytes: async () => new Uint8Array(await response.arrayBuffer())
  }
}

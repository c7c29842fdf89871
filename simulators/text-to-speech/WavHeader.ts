/** A RIFF header for mu-law 8 kHz mono, with a `LIST` chunk in it as some encoders write. */
export const wavHeader = (dataBytes: number): Uint8Array => {
  const header = Buffer.alloc(12 + 26 + 12 + 8)
  header.write("RIFF", 0)
  header.writeUInt32LE(header.length - 8 + dataBytes, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(18, 16)
  header.writeUInt16LE(7, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write("LIST", 38)
  header.writeUInt32LE(4, 42)
  header.write("INFO", 46)
  header.write("data", 50)
  header.writeUInt32LE(dataBytes, 54)
  return header
}

import type { LinearMap } from '../evaluator/linearMap';

/** The table as NumPy saves one, so that anybody can look into it. */
export function npyOf({ dimension, values }: LinearMap): Buffer {
  const said = `{'descr': '<f4', 'fortran_order': False, 'shape': (${dimension}, ${dimension}), }`;
  // Magic, version and length are ten bytes; numbers begin at a multiple of 64, after a line break.
  const padded = `${said.padEnd(Math.ceil((said.length + 11) / 64) * 64 - 11)}\n`;
  const numbers = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => numbers.writeFloatLE(value, i * 4));
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(padded), numbers]);
}

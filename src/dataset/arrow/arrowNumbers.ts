import type { CellValue } from '../cell';
import type { ArrowNumber, OfKind } from './arrowSchema';

export function numberOf(type: ArrowNumber, bytes: Uint8Array): CellValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type.kind === 'float')
    return type.bits === 64
      ? view.getFloat64(0, true)
      : type.bits === 32
        ? view.getFloat32(0, true)
        : half(view);
  if (type.kind === 'int' && type.bits <= 32) return smallInt(view, type);
  let whole = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) whole = (whole << 8n) | BigInt(bytes[at]);
  if (type.kind !== 'int' || type.signed) whole = BigInt.asIntN(type.bits, whole);
  const number = Number(whole);
  if (type.kind === 'int') return Number.isSafeInteger(number) ? number : String(whole);
  if (type.kind === 'decimal') return number / 10 ** type.scale;
  const moment = new Date((number / type.perSecond) * 1000);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

function smallInt(view: DataView, { bits, signed }: OfKind<'int'>): number {
  if (bits === 8) return signed ? view.getInt8(0) : view.getUint8(0);
  if (bits === 16) return signed ? view.getInt16(0, true) : view.getUint16(0, true);
  return signed ? view.getInt32(0, true) : view.getUint32(0, true);
}

/** A number of 16 bits: sign, five bits of exponent, ten of fraction. */
function half(view: DataView): number {
  const bits = view.getUint16(0, true);
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 === 1 ? -size : size;
}

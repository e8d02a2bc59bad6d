import { count, object, optional, type Shaped, text } from '../base/shape';

/** The view's state that a reload keeps: the session file and the position in this file. */
export const sittingMemory = object({ session: text, index: optional(count) });
export type SittingMemory = Shaped<typeof sittingMemory>;

/** An image in Base64, because some editors cannot send binary data to a view. */
export const jpeg = object({ jpeg: optional(text) });
export type Jpeg = Shaped<typeof jpeg>;

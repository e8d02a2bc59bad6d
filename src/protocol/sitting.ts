import { count, object, optional, type Shaped, text } from '../base/shape';

/** What a view remembers across a reload: the file and the position in it. */
export const sittingMemory = object({ session: text, index: optional(count) });
export type SittingMemory = Shaped<typeof sittingMemory>;

/** An image in Base64, because some editors cannot pass binary data to a view. */
export const jpeg = object({ jpeg: optional(text) });
export type Jpeg = Shaped<typeof jpeg>;

import { count, object, optional, type Shaped, text } from '../base/shape';

/** What a view of somebody's work keeps over a reload: the file, and where they were. */
export const sittingMemory = object({ session: text, index: optional(count) });
export type SittingMemory = Shaped<typeof sittingMemory>;

/** A photo in Base64: not every editor hands bytes through to a view as bytes. */
export const jpeg = object({ jpeg: optional(text) });
export type Jpeg = Shaped<typeof jpeg>;

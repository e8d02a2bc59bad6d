import type { ChatImage } from './chat';

/** The content of a message in OpenAI's form: the image, if any, then the text. */
export function contentOf(text: string, image: ChatImage | undefined): object[] {
  const said = { type: 'text', text };
  if (image === undefined) return [said];
  const { mime, bytes } = image;
  const url = `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
  return [{ type: 'image_url', image_url: { url } }, said];
}

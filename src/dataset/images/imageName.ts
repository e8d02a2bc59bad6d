/** Whether a value is the name or address of an image file. */
export function isImageName(value: unknown): boolean {
  return typeof value === 'string' && /\.(jpe?g|png|webp|gif|tiff?|avif|bmp)$/i.test(value.trim());
}

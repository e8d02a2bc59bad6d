/* The kinds of changes, apart from what makes them, because the browser's bundle contains the views that name them. */
export const errorKinds = ['object', 'color', 'number', 'relation'] as const;
export type ErrorKind = (typeof errorKinds)[number];

export const editKinds = ['delete', 'repeat', 'move'] as const;
export type EditKind = (typeof editKinds)[number];

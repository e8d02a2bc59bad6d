// A language model that grades each caption by its length, and keeps what it was asked.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- it runs as it is, without a build
const vscode = require('vscode');

/** Texts and pictures of the messages it was sent. */
const asked = [];

function captionIn(text) {
  const [, fence] = /lines that read (caption-\w+)/.exec(text);
  const from = text.indexOf(`\n${fence}\n`) + fence.length + 2;
  return text.slice(from, text.lastIndexOf(`\n${fence}`));
}

exports.activate = (context) => {
  const provider = {
    async provideLanguageModelResponse(messages, options, extension, progress) {
      const parts = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [{ value: content }] : content,
      );
      const texts = parts.filter(({ value }) => typeof value === 'string').map(({ value }) => value);
      const pictures = parts
        .filter(({ data }) => data)
        .map(({ mimeType, data }) => [mimeType, data.length, data[1]]);
      asked.push({ extension, texts, pictures, options: options.modelOptions });
      const score = Math.min(10, captionIn(texts.at(-1)).length / 10);
      progress.report({ index: 0, part: new vscode.LanguageModelTextPart(`{"score": ${score}}`) });
    },
    provideTokenCount: async () => 1,
  };
  const said = {
    name: 'Length',
    family: 'length',
    version: '1',
    vendor: 'captious-test',
    maxInputTokens: 9999,
    maxOutputTokens: 99,
  };
  context.subscriptions.push(
    vscode.lm.registerChatModelProvider('length-1', provider, { ...said, capabilities: { vision: true } }),
    vscode.lm.registerChatModelProvider('blind-1', provider, { ...said, name: 'Blind', family: 'blind' }),
  );
  return { asked };
};

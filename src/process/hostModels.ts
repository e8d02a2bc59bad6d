import type { Calls } from '../base/calls';
import type { EditorModels } from '../evaluator/judge/editorModels';
import type { hostRequests } from '../protocol/hostCalls';

/** The editor's language models, called from an audit's process. */
export function editorModelsBy(editor: Pick<Calls<typeof hostRequests>, 'ask'>): EditorModels {
  return {
    find: (name) => editor.ask('model', { name }),
    ask: async (model, { orders, text, image }, signal) => {
      const answer = await editor.ask('chat', { model, orders, text, image }, { signal });
      return answer.type === 'said' ? { text: answer.text } : answer;
    },
  };
}

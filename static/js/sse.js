/** The JSON objects of a stream of `data:` frames, as they arrive; comments are passed over. */
export async function* readFrames(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      let end;
      while ((end = rest.indexOf("\n\n")) >= 0) {
        const frame = rest.slice(0, end);
        rest = rest.slice(end + 2);
        for (const line of frame.split("\n")) if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// Lets the search work in pages that are opened as files. Browsers refuse workers to these, so that a hidden frame stands in for
// the worker of the search. (MkDocs Material would fetch a script for this from the network.)
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      const tell = (target, data) => target.dispatchEvent(new MessageEvent("message", { data }));
      const load = (source) =>
        new Promise((resolve, reject) => {
          const script = inside.document.createElement("script");
          Object.assign(script, { src: source, onload: resolve, onerror: reject });
          inside.document.body.append(script);
        });
      inside.postMessage = (data) => tell(this, data);
      inside.importScripts = (...sources) => sources.reduce((done, source) => done.then(() => load(source)), Promise.resolve());
      this.ready = load(new URL(address, location.href).href);
      this.postMessage = (data) => void this.ready.then(() => tell(inside, data));
      this.terminate = () => frame.remove();
    }
  };
}

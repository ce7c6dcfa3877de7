// A worker without Python, with the face of those in kpviz/player/web/alone: it asks the server of
// the tests, on one websocket for each page. What passes is at the head of alone/python.js.

const AGAIN = 100; // In ms: a connection that was lost is opened again.

self.onmessage = ({ data: { python, port } }) => {
  // The newest question of each kind: what was asked before is passed over.
  const newest = new Map();
  let send = () => {};
  port.onmessage = ({ data }) => {
    if (typeof data === "string") {
      newest.set(JSON.parse(data).kind, data);
      send(data);
    } else port.postMessage({ pong: data.ping });
  };
  const open = () => {
    const socket = new WebSocket(python.service.replace("http", "ws"));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      send = (text) => socket.send(text);
      port.postMessage({ ready: true });
      for (const text of newest.values()) send(text);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") port.postMessage({ text: data });
      else port.postMessage({ bytes: new Uint8Array(data) }, [data]);
    };
    socket.onclose = () => {
      send = () => {};
      setTimeout(open, AGAIN);
    };
  };
  open();
};

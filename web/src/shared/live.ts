// A WebSocket that comes back by itself: the server says everything again after a reconnection.

export type Message = { type: string } & Record<string, unknown>;

export class Live {
  private socket: WebSocket | null = null;
  private delay = 250;
  private isClosed = false;
  private timer = 0;

  constructor(
    private readonly path: string,
    private readonly hear: (message: Message) => void,
    private readonly status: (isOn: boolean) => void = () => undefined,
  ) {
    this.open();
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => {
      if (event.persisted) location.reload();
    });
  }

  /** Send a message; false if there is no connection now. */
  send(message: Message): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private open(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.status(true);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as Message);
    socket.onclose = () => {
      if (this.isClosed) return;
      this.status(false);
      this.timer = window.setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(5000, this.delay * 2);
    };
  }
}

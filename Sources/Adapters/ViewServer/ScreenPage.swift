/// The page that shows the screen in a browser, with noVNC's client.
///
/// noVNC's own small page stays empty once its connection has ended. This one connects again: a VNC server may end when the screen is
/// turned, and the shell starts it again.
enum ScreenPage {
    static let text = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Mullion</title>
        <style>
        html, body { margin: 0; height: 100%; background: #202124; overflow: hidden }
        #screen { width: 100%; height: 100% }
        #status { position: fixed; left: 0; right: 0; bottom: 24px; text-align: center; font: 15px sans-serif; color: white }
        #status span { padding: 8px 16px; border-radius: 16px; background: #000c }
        </style>
        </head>
        <body>
        <div id="screen"></div>
        <div id="status" role="status"><span>Connecting…</span></div>
        <script type="module">
        import RFB from "./core/rfb.js";

        const screen = document.getElementById("screen");
        const status = document.getElementById("status");
        const address = new URL("\(Door.screen)", location.href);
        address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
        const shortest = 250, longest = 4000;
        let pause = shortest;

        function connect() {
            const view = new RFB(screen, address.href);
            view.scaleViewport = true;
            view.addEventListener("connect", () => {
                status.hidden = true;
                pause = shortest;
                view.focus();
            });
            view.addEventListener("disconnect", () => {
                status.hidden = false;
                status.firstChild.textContent = "The connection has ended. Connecting again…";
                setTimeout(connect, pause);
                pause = Math.min(pause * 2, longest);
            });
        }
        connect();
        </script>
        </body>
        </html>

        """
}

import Geometry

/// The apps of a walk: one or two of each toolkit.
extension App {
    /// `{room}` stands for the shell's folder.
    static let walkers: [(id: String, app: App)] = [
        ("mousepad", App(name: "Mousepad (GTK 3)", command: ["mousepad"], package: "mousepad")),
        ("gtk4-demo", .gtk4),
        ("gtk3-demo", .gtk3),
        ("featherpad", .qt),
        ("foot", .terminal),
        (
            "firefox",
            App(
                name: "Firefox", command: ["firefox-esr", "--no-remote", "--profile", "{room}/profile", "about:license"],
                package: "firefox-esr", patience: 60)
        ),
        (
            "libreoffice",
            App(
                name: "LibreOffice",
                command: [
                    "env", "SAL_USE_VCLPLUGIN=gtk3", "libreoffice", "-env:UserInstallation=file://{room}/office", "--writer", "--norestore",
                    "--nologo", "--nofirststartwizard",
                ],
                package: "libreoffice-gtk3", needs: "libreoffice", patience: 60)
        ),
        ("xterm", .xterm),
        ("xclock", App(name: "xclock (X11)", command: ["xclock", "-update", "1"], package: "x11-apps", isLive: true)),
        (
            "java",
            App(
                name: "Swing (Java, X11)", command: ["java", "{room}/home/Walk.java"], package: "default-jdk", needs: "javac", patience: 60)
        ),
    ]

    /// The program of `java`: a text field, a list, a menu, a dialog.
    static let swing = """
        import javax.swing.*;
        public class Walk {
            public static void main(String[] words) {
                SwingUtilities.invokeLater(() -> {
                    JFrame frame = new JFrame("Swing");
                    JMenuBar bar = new JMenuBar();
                    JMenu menu = new JMenu("File");
                    JMenuItem item = new JMenuItem("Ask");
                    item.addActionListener(e -> JOptionPane.showMessageDialog(frame, "A question"));
                    menu.add(item);
                    bar.add(menu);
                    frame.setJMenuBar(bar);
                    frame.add(new JScrollPane(new JTextArea("Text", 12, 30)));
                    frame.add(new JList<>(new String[] { "One", "Two", "Three" }), java.awt.BorderLayout.WEST);
                    frame.pack();
                    frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
                    frame.setVisible(true);
                });
            }
        }

        """

    /// Desktop entries of these apps, which the home screen of a walk has. All others are hidden: a tap on one might start anything.
    static let walkerEntries: Set<String> = [
        "org.xfce.mousepad", "org.gtk.Demo4", "gtk3-demo", "featherpad", "foot", "firefox-esr", "debian-xterm",
    ]
}

import Glibc
import MullionKit
import Toolkit

// A podcast player: it pauses when it is interrupted, goes on only if it played and may, and knows where each episode was
// left. `mullion-podcast [FILES AND FOLDERS]`; without any it plays what is in ~/Podcasts.

exit(
    App.run(id: "org.mullion.Podcast") {
        let player = Podcast(episodes: Episode.all(in: Array(CommandLine.arguments.dropFirst())))
        player.open()
        return player
    })
